internal import CSQLite

extension StoreError {
    /// The error for a value on which a column and a property do not agree.
    package static func value(_ fault: ValueFault) -> StoreError {
        switch fault {
        case .typeMismatch, .outOfRange, .invalidText, .rejected: StoreError(.typeMismatch, fault.description)
        case .notStorable: StoreError(.notRepresentable, fault.description)
        case .outOfMemory: .engine(SQLITE_NOMEM, message: fault.description)
        case .engine(let code): .engine(code, message: "The value cannot be bound")
        }
    }
}
