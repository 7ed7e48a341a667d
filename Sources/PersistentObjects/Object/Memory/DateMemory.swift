internal import Foundation

/// The dates that the store maintains in objects.
enum DateMemory {
    static func load(at offset: Int, isOptional: Bool, in object: Address) -> Date? {
        let address = object + offset
        guard isOptional else { return address[as: Date.self] }
        return address[as: Date?.self]
    }

    /// Sets a date; `nil` is for optional properties.
    static func store(_ date: Date?, at offset: Int, isOptional: Bool, in object: Address) {
        let address = object + offset
        ObjectMemory.checkNotBeingAccessed(address)
        if isOptional {
            address[as: Date?.self] = date
        } else if let date {
            address[as: Date.self] = date
        }
    }
}
