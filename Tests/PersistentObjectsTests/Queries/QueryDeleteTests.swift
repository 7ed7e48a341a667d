import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// `delete()` of a query has the same effect as deleting each of its objects.
struct QueryDeleteTests {
    final class Owner: PersistentObject {
        override class var tableName: String { "owner" }
        var name = ""
        @Inverse(\Pet.owner, onDelete: .cascade) var pets: [Pet]
        @Inverse(\Licence.holder, onDelete: .deny) var licences: [Licence]
    }

    final class Pet: PersistentObject {
        override class var tableName: String { "pet" }
        var name = ""
        var age = 0
        var owner: Owner?
        var friend: Pet?
        var tags: [String] = []
    }

    final class Licence: PersistentObject {
        override class var tableName: String { "licence" }
        var holder: Owner?
    }

    private func pets(_ count: Int) -> [Pet] {
        (0..<count).map { index in
            let pet = Pet()
            pet.name = "pet \(index)"
            pet.age = index
            pet.tags = ["x"]
            return pet
        }
    }

    @Test func `delete deletes the objects found and updates objects in memory`() throws {
        try withTemporarySession { session, file throws in
            let all = pets(10)
            all[0].friend = all[9]
            try session.save(all)
            try expect(Pet.where { $0.age >= 7 }.delete(), 3)
            expect(all.map(\.isDeleted), (0..<10).map { $0 >= 7 })
            #expect(all[0].friend == nil && !all[0].hasChanges)
            try expect(Pet.count(), 7)
            try expect(file.sqlite("SELECT count(*) FROM pet_tags"), "7")
            try expect(Pet.where { $0.age >= 7 }.delete(), 0)
        }
    }

    @Test func `delete respects limit, offset and order`() throws {
        try withTemporarySession { session, _ throws in
            let all = pets(10)
            try session.save(all)
            try expect(Pet.query.order(by: \.age, .descending).limit(3).delete(), 3)
            expect(all.filter(\.isDeleted), Array(all[7...]))
            try expect(Pet.query.order(by: \.age).limit(2).offset(1).delete(), 2)
            expect(all.filter(\.isDeleted), Array(all[1...2] + all[7...]))
            try expect(Pet.query.limit(0).delete(), 0)
            try expect(Pet.query.delete(), 5)
            try expect(Pet.count(), 0)
        }
    }

    @Test func `the condition of delete can follow references`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, ann) = (Owner(), Owner())
            (joe.name, ann.name) = ("Joe", "Ann")
            let all = pets(4)
            for (index, pet) in all.enumerated() { pet.owner = index < 3 ? joe : ann }
            try session.save(all)
            expect(joe.pets.count, 3)
            try expect(Pet.where { $0.owner.name == "Joe" && $0.age > 0 }.delete(), 2)
            expect(joe.pets, [all[0]])
        }
    }

    @Test func `delete applies cascade and deny rules`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, ann) = (Owner(), Owner())
            (joe.name, ann.name) = ("Joe", "Ann")
            let all = pets(4)
            for (index, pet) in all.enumerated() { pet.owner = index < 3 ? joe : ann }
            let licence = Licence()
            licence.holder = ann
            try session.save(all + [licence])
            let error = #expect(throws: StoreError.self) { try Owner.query.delete() }
            #expect(error?.code == .deletionDenied)
            #expect(try Owner.count() == 2 && Pet.count() == 4)
            #expect(!joe.isDeleted && !all[0].isDeleted)
            #expect(try Owner.where { $0.name == "Joe" }.delete() == 1)
            #expect(all.map(\.isDeleted) == [true, true, true, false])
        }
    }

    @Test func `an invalid query throws before anything is deleted`() throws {
        try withTemporarySession { session, _ throws in
            try session.save(pets(2))
            #expect(throws: (any Error).self) { try Pet.where { $0.friend == Pet() }.delete() }
            try expect(Pet.count(), 2)
        }
    }
}

/// An order by an expression has bound values, which some terminal methods do not include in their statement.
struct QueryOrderArgumentTests {
    typealias Pet = QueryDeleteTests.Pet

    @Test func `all terminal methods accept an order with bound values`() throws {
        try withTemporarySession { session, _ throws in
            try session.save((0..<3).map { _ in Pet() })
            let query = Pet.where { $0.age == 0 }.order { $0.age + 1 }
            #expect(try query.count() == 3 && query.exists() && query.ids() == [1, 2, 3] && query.all().count == 3)
            #expect(try query.limit(2).count() == 2 && query.limit(2).exists())
            #expect(try query.limit(2).delete() == 2 && query.delete() == 1)
        }
    }
}
