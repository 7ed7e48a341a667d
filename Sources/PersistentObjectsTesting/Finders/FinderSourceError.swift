public import Foundation

/// A problem at one place of the sources that were searched for finder names.
///
/// ```swift
/// do {
///     try Person.checkFinders(inSources: "Sources")
/// } catch let error as FinderProblems {
///     for case let error as FinderSourceError in error.problems { print(error.file, error.line ?? 0) }
/// }
/// ```
public struct FinderSourceError: Error, CustomStringConvertible {
    /// The path of the file or folder, as given to the call.
    public let file: String
    /// The line of the name, from 1; nil if the problem concerns the file or folder as a whole.
    public let line: Int?
    /// The column of the name in its line, from 1 and in UTF-8 bytes as the compiler counts.
    ///
    /// It is nil if `line` is nil.
    public let column: Int?
    /// The problem: a `FinderError` or a ``FinderSearchError``.
    public let problem: any Error

    init(file: String, line: Int? = nil, column: Int? = nil, problem: any Error) {
        self.file = file
        self.line = line
        self.column = column
        self.problem = problem
    }

    /// The place in the compiler's format, and the problem.
    ///
    /// For example `Sources/App/Main.swift:12:24: Person.findByLastNme: …`.
    public var description: String {
        let place = [line, column].compactMap { $0 }.map { ":\($0)" }.joined()
        return "\(file)\(place): \(problem)"
    }
}

/// The reason that sources could not be searched for finder names.
///
/// It is the `problem` of a ``FinderSourceError``.
public enum FinderSearchError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A file or folder does not exist or cannot be read; `reason` is the system's message.
    case cannotRead(reason: String)
    /// The file is not in UTF-8, the encoding of Swift sources.
    case notUTF8
    /// A class uses `Self.where { }` or a similar call.
    ///
    /// Swift cannot create its key paths, and ends the process when the line runs (swiftlang/swift 66795).
    case keyPathOfSelf(className: String, member: String)
    /// The files use no finder of these classes; the folder or the classes may be the wrong ones.
    case nothingToCheck(classes: [String], files: Int)

    /// One line with the problem and what to do.
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
