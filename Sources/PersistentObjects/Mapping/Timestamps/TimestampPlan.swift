// Timestamps: the dates of a row that the store maintains. It knows the properties of a class, and must not know when
// rows are written.

package import Foundation
internal import StoreEngine

/// The properties in which the store maintains the times of inserts and updates.
struct TimestampPlan: Sendable {
    /// A property of type `Date` or `Date?`.
    struct Field: Sendable {
        let ordinal: Int
        let offset: Int
        let isOptional: Bool

        func date(of object: PersistentObject) -> Date? {
            DateMemory.load(at: offset, isOptional: isOptional, in: ObjectMemory.start(of: object))
        }

        /// Sets the date; `nil` is for optional properties.
        func set(_ date: Date?, of object: PersistentObject) {
            DateMemory.store(date, at: offset, isOptional: isOptional, in: ObjectMemory.start(of: object))
        }
    }

    /// Set by an insert if it has its initial value.
    let created: Field?
    /// The initial value of `created`; nil for nil.
    let initial: Double?
    let updated: Field?

    /// Nil if there is nothing to maintain.
    init?(_ type: PersistentObject.Type, _ properties: [Property], _ defaults: [ClassMap.DefaultValue?]) {
        guard type.timestamps else { return nil }
        func field(_ name: String) -> Field? {
            guard let ordinal = properties.firstIndex(where: { $0.name == name }), properties[ordinal].boxOffset == nil
            else { return nil }
            let kind = properties[ordinal].codec.kind
            guard kind == .date || kind == .optionalDate else { return nil }
            return Field(ordinal: ordinal, offset: properties[ordinal].offset, isOptional: kind == .optionalDate)
        }
        let createdAt = field("createdAt")
        // `= Date()` is already the current time, and cannot be distinguished from an assigned time.
        let known = createdAt.flatMap { defaults[$0.ordinal] }
        created = known?.isConstant == true ? createdAt : nil
        initial = if case .real(let seconds)? = known?.value { seconds } else { nil }
        updated = field("updatedAt")
        if created == nil, updated == nil { return nil }
    }
}

extension ClassMap {
    /// Sets the dates that the store maintains, except the dates that were set explicitly.
    ///
    /// - Parameter ordinals: The properties that were set.
    package func setDates(of object: PersistentObject, to now: Date, except ordinals: [Int], isNew: Bool) {
        guard let timestamps else { return }
        if isNew, let created = timestamps.created, !ordinals.contains(created.ordinal) { created.set(now, of: object) }
        if let updated = timestamps.updated, !ordinals.contains(updated.ordinal) { updated.set(now, of: object) }
    }
}
