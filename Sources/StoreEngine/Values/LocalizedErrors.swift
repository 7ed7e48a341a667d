public import Foundation

// `localizedDescription`, which alerts and loggers display, is the errors' own text.

extension StoreError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension StoreError.Problem: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
