// Errors: what finders and queries throw before any SQL runs. It must not know how conditions become SQL.

public import Foundation

/// An error in a query, thrown before any SQL runs.
public enum QueryError: Error, Sendable, Equatable {
    /// The query cannot be expressed in SQL.
    case notExpressible(String)
}

extension QueryError: CustomStringConvertible {
    /// One line: the problem and what to write instead.
    public var description: String {
        switch self {
        case .notExpressible(let reason): "The query cannot be expressed in SQL. \(reason)"
        }
    }

    /// The reason without its prefix, for use in another error.
    var reason: String {
        switch self {
        case .notExpressible(let reason): reason
        }
    }
}

extension QueryError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
