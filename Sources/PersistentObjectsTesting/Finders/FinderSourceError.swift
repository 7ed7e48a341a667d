public import Foundation

/// What is wrong at one place of the sources that finder names were looked for in.
///
/// ```swift
/// do {
///     try Person.checkFinders(inSources: "Sources")
/// } catch let error as FinderProblems {
///     for case let error as FinderSourceError in error.problems { print(error.file, error.line ?? 0) }
/// }
/// ```
public struct FinderSourceError: Error, CustomStringConvertible {
    /// The file or folder, as its path was given.
    public let file: String
    /// The line of the name, from 1; nil where the file or folder as a whole is at fault.
    public let line: Int?
    /// The column of the name in its line, from 1 and in UTF-8 bytes, as the compiler counts; nil where `line` is.
    public let column: Int?
    /// What is wrong: a `FinderError` or a ``FinderSearchError``.
    public let problem: any Error

    init(file: String, line: Int? = nil, column: Int? = nil, problem: any Error) {
        self.file = file
        self.line = line
        self.column = column
        self.problem = problem
    }

    /// The place as the compiler writes it, and the problem: `Sources/App/Main.swift:12:24: Person.findByLastNme: …`.
    public var description: String {
        let place = [line, column].compactMap { $0 }.map { ":\($0)" }.joined()
        return "\(file)\(place): \(problem)"
    }
}

/// Why sources could not be searched for finder names: the `problem` of a ``FinderSourceError``.
public enum FinderSearchError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A file or folder cannot be read, or is not there; `reason` is what the system says.
    case cannotRead(reason: String)
    /// The file is no UTF-8, which Swift sources are.
    case notUTF8
    /// `Self.where { }` and the like inside a class: Swift cannot make the key paths and ends the process when the line
    /// runs (swiftlang/swift 66795).
    case keyPathOfSelf(className: String, member: String)
    /// No finder of these classes is used in the files: the folder, or the classes, may be others than those meant.
    case nothingToCheck(classes: [String], files: Int)

    /// One line: what is wrong and what to do.
    public var description: String {
        switch self {
        case .cannotRead(let reason): "cannot be read: \(reason)"
        case .notUTF8: "is not valid UTF-8, which Swift sources must be"
        case .keyPathOfSelf(let name, let member):
            "Self.\(member) in a class terminates the process at run time, because Swift cannot create key paths "
                + "of Self there. Write \(name).\(member), or type(of: self).\(member) in a method of the object"
        case .nothingToCheck(_, 0):
            "contains no Swift files to check. A relative path is resolved in the current folder"
        case .nothingToCheck(let classes, let files):
            "No finder of \(classes.joined(separator: ", ")) is used in \(files) Swift "
                + "\(files == 1 ? "file" : "files"). Nothing was checked. Pass the folder of the sources that use it"
        }
    }
}

extension FinderSourceError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension FinderSearchError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
