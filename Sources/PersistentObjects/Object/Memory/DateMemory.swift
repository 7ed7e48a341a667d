internal import Foundation

/// The dates that the store keeps in objects.
enum DateMemory {
    static func load(at offset: Int, isOptional: Bool, in object: UnsafeMutableRawPointer) -> Date? {
        let address = object + offset
        guard isOptional else { return address.assumingMemoryBound(to: Date.self).pointee }
        return address.assumingMemoryBound(to: Date?.self).pointee
    }

    /// Sets a date; `nil` is for optional properties.
    static func store(_ date: Date?, at offset: Int, isOptional: Bool, in object: UnsafeMutableRawPointer) {
        let address = object + offset
        ObjectMemory.checkNotBeingAccessed(address)
        if isOptional {
            address.assumingMemoryBound(to: Date?.self).pointee = date
        } else if let date {
            address.assumingMemoryBound(to: Date.self).pointee = date
        }
    }
}
