import TestSupport
import Testing

@testable import PersistentObjects

/// Requires that finders by name find and count the same objects as a Swift filter over all objects of the class.
///
/// ```swift
/// let check = FinderFilter(people)
/// try check("findByAgeNot", 3) { $0.age != 3 }
/// ```
struct FinderFilter<Model: PersistentObject> {
    private let objects: [Model]

    init(_ objects: [Model]) { self.objects = objects }

    func callAsFunction(
        _ name: String, _ arguments: Any?..., at location: SourceLocation = #_sourceLocation,
        _ filter: (Model) -> Bool
    ) throws {
        let expected = objects.filter(filter)
        let found = try FinderCall(Model.self, name, arguments).objects()
        #expect(Set(found) == Set(expected) && found.count == expected.count, "\(name)", sourceLocation: location)
        let count = try FinderCall(Model.self, name.replacing(/^find/, with: "count"), arguments).number()
        expect(count, expected.count, "\(name)", sourceLocation: location)
    }
}
