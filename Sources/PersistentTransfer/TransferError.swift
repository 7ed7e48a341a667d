public import Foundation
internal import PersistentObjects
internal import StoreEngine

/// What is wrong with something that is imported or exported: where it stands, and which value it is.
///
/// ```swift
/// do { try store.import(Person.self, from: file) } catch let error as TransferError {
///     print(error)        // line 7: Person.age: Expected an integer, not a string: "old"
/// }
/// ```
///
/// It shows the value, shortened: think of that where you log it.
public struct TransferError: Error, Sendable {
    /// What is wrong and what to do, in at most three sentences.
    public var message: String
    /// The line of the file, from 1; of a `.json` file the line in which the object begins. Nil where there is no file.
    public var line: Int?
    /// The table of a file of another program.
    public var table: String?
    /// The id of the object, or of the row, as the file has it; nil where there is none.
    public var rowID: Int64?
    /// The class concerned, where it is known.
    public var className: String?
    /// The property concerned, where there is one.
    public var property: String?
    /// The value as the file has it, shortened to 60 characters; nil where it is not about a value.
    public var value: String?
    /// What was thrown where the object was made or written.
    public var underlying: (any Error)?

    /// Makes an error; what else is known can be set afterwards.
    public init(_ message: String, line: Int? = nil, className: String? = nil, property: String? = nil) {
        self.message = message
        self.line = line
        self.className = className
        self.property = property
    }
}

extension TransferError: CustomStringConvertible {
    /// One line: where, class and property, what is wrong, and the value.
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
    /// This error with what the caller knows of its place; what is known already stays.
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

    /// Whatever was thrown, as one of these.
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
