public import Foundation
internal import PersistentObjects
internal import StoreEngine

/// A problem with imported or exported data, with its place and its value.
///
/// ```swift
/// do { try store.import(Person.self, from: file) } catch let error as TransferError {
///     print(error)        // line 7: Person.age: Expected an integer, not a string: "old"
/// }
/// ```
///
/// The description contains the value, shortened. Keep this in mind if you log it.
public struct TransferError: Error, Sendable {
    /// The problem and what to do, in at most three sentences.
    public var message: String
    /// The line of the file, counted from 1; nil if there is no file.
    ///
    /// In a `.json` file it is the line in which the object begins.
    public var line: Int?
    /// The table of a file of another program.
    public var table: String?
    /// The id of the object or row in the file; nil if there is none.
    public var rowID: Int64?
    /// The class, if it is known.
    public var className: String?
    /// The property, if the problem concerns one.
    public var property: String?
    /// The value in the file, shortened to 60 characters; nil if the problem does not concern a value.
    public var value: String?
    /// The error that was thrown when the object was created or written.
    public var underlying: (any Error)?

    /// Creates an error; set its other properties afterwards.
    public init(_ message: String, line: Int? = nil, className: String? = nil, property: String? = nil) {
        self.message = message
        self.line = line
        self.className = className
        self.property = property
    }
}

extension TransferError: CustomStringConvertible {
    /// One line with place, class and property, problem, and value.
    public var description: String {
        var parts: [String] = []
        if let line { parts.append("line \(line)") }
        if let table { parts.append("table \(VisibleText.of(table, 60))\(rowID.map { ", row \($0)" } ?? "")") }
        if let className {
            let id = table == nil ? rowID.map { " #\($0)" } ?? "" : ""
            parts.append("\(className)\(property.map { ".\($0)" } ?? "")\(id)")
        } else if let property {
            parts.append(property)
        }
        parts.append(message)
        if let value { parts.append(value) }
        return parts.joined(separator: ": ")
    }
}

extension TransferError {
    /// The error with the caller's values for the properties that are still nil.
    func at(
        line: Int? = nil, table: String? = nil, rowID: Int64? = nil, className: String? = nil, property: String? = nil
    ) -> TransferError {
        var error = self
        error.line = error.line ?? line
        error.table = error.table ?? table
        error.rowID = error.rowID ?? rowID
        error.className = error.className ?? className
        error.property = error.property ?? property
        return error
    }

    /// Converts any error.
    init(_ error: any Error, value: JSONValue? = nil) {
        switch error {
        case let error as TransferError: self = error
        case let fault as ValueFault:
            let reason = "\(fault)"
            self.init(reason.prefix(1).uppercased() + reason.dropFirst())
            self.value = value?.shown
            underlying = StoreError.value(fault)
        case let error as StoreError:
            self.init(error.message, className: error.className, property: error.property)
            underlying = error
        default:
            self.init("\(error)")
            underlying = error
        }
    }
}

extension TransferError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
