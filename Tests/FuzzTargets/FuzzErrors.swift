import PersistentObjects
import PersistentTransfer

/// The errors that the library documents.
enum FuzzErrors {
    /// Accepts documented errors.
    ///
    /// - Throws: `FuzzFinding` for other errors, and for errors without a description.
    static func check(_ error: any Error) throws {
        if error is FuzzFinding { throw error }
        let isKnown =
            error is StoreError || error is SchemaError || error is FinderError || error is QueryError
            || error is FinderProblems || error is TransferError || error is MergeConflicts
        guard isKnown else { throw FuzzFinding("an error of no public type: \(type(of: error)): \(error)") }
        if "\(error)".isEmpty { throw FuzzFinding("an error without a text") }
    }
}
