public import Foundation

// `localizedDescription`, which alerts and loggers show, is the errors' own text.

extension SchemaError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension FinderError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension FinderProblems: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension QueryError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension MergeConflicts: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
