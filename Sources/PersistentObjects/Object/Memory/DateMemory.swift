internal import Foundation

/// The dates that the store keeps in objects.
enum DateMemory {
    static func load(_ field: TimestampPlan.Field, in object: UnsafeMutableRawPointer) -> Date? {
        let address = object + field.offset
        guard field.isOptional else { return address.assumingMemoryBound(to: Date.self).pointee }
        return address.assumingMemoryBound(to: Date?.self).pointee
    }

    /// Sets a date; `nil` is for optional properties.
    static func store(_ date: Date?, _ field: TimestampPlan.Field, in object: UnsafeMutableRawPointer) {
        let address = object + field.offset
        ObjectMemory.checkNotBeingAccessed(address)
        if field.isOptional {
            address.assumingMemoryBound(to: Date?.self).pointee = date
        } else if let date {
            address.assumingMemoryBound(to: Date.self).pointee = date
        }
    }
}
