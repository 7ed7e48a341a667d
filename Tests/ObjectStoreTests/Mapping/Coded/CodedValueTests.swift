import Foundation
import PersistentTransfer
import TestSupport
import Testing

@testable import PersistentObjects

/// Types of a framework, stored by a codec.
@Suite struct CodedValueTests {
    @Test func `values are stored in the column of their codec and read back, with nil as NULL`() throws {
        try withTemporarySession { session, file in
            let wall = Wall()
            wall.paint = Paint(3, 4)
            wall.version = Release(major: 2, minor: 7)
            wall.shade = Shade(name: "dusk")
            wall.layers = [Paint(1, 2), Paint(5, 6)]
            wall.byRoom = ["hall": Paint(7, 8)]
            wall.versions = [Release(major: 1, minor: 0), Release(major: 1, minor: 1)]
            try wall.save()
            try expect(file.sqlite("SELECT paint, trim, version, shade FROM wall"), "3,4||2007|shade dusk")
            try expect(file.sqlite("SELECT value FROM wall_layers ORDER BY position"), "1,2\n5,6")
            try session.reset()
            let again = try #require(try Wall.first())
            #expect(again.paint.red == 3 && again.paint.green == 4 && again.trim == nil)
            #expect(again.version == Release(major: 2, minor: 7) && again.shade.name == "dusk")
            #expect(again.layers.map(\.red) == [1, 5] && again.byRoom["hall"]?.green == 8)
            #expect(again.versions == wall.versions && !again.hasChanges)
        }
    }

    @Test func `a change in place is an edit, and changing it back is not`() throws {
        try withTemporarySession { session, _ in
            let wall = Wall()
            wall.layers = [Paint(1, 2)]
            try wall.save()
            #expect(!wall.hasChanges)
            wall.paint.red = 9
            expect(wall.changes.map(\.name), ["paint"])
            expect((wall.changes.first?.old as? Paint)?.red, 1)
            wall.paint.red = 1
            wall.paint.isHidden = true  // not part of the encoding
            #expect(!wall.hasChanges)
            wall.layers[0].green = 8
            #expect(wall.hasChanges)
            try wall.save()
            try session.reset()
            let again = try #require(try Wall.first())
            expect(again.layers[0].green, 8)
        }
    }

    @Test func `revert and rollback restore the contents of a value`() throws {
        try withTemporarySession { _, _ in
            let wall = Wall()
            try wall.save()
            wall.paint.red = 9
            wall.revert()
            #expect(wall.paint.red == 1 && !wall.hasChanges)
            #expect(throws: CodedError.self) {
                try Store.transaction {
                    wall.paint.green = 7
                    try wall.save()
                    throw CodedError(description: "back")
                }
            }
            #expect(wall.paint.green == 1 && !wall.hasChanges)
        }
    }

    @Test func `queries and finders compare values by their encoding`() throws {
        try withTemporarySession { _, _ in
            for number in 0..<5 {
                let wall = Wall()
                wall.version = number == 0 ? nil : Release(major: number, minor: number)
                wall.shade = Shade(name: "s\(number)")
                wall.paint = Paint(number, 0)
                wall.trim = number == 3 ? GlossyPaint(3, 3) : nil
                wall.layers = [Paint(number, number)]
                wall.versions = [Release(major: number, minor: 0)]
                try wall.save()
            }
            try expect(Wall.where { $0.version == Release(major: 2, minor: 2) }.count(), 1)
            try expect(Wall.where { $0.version == nil }.count(), 1)
            try expect(Wall.where { $0.version > Release(major: 2, minor: 2) }.count(), 2)
            try expect(Wall.query.order(by: \.version, .descending).first()?.version?.major, 4)
            try expect(Wall.query.max(\.version), Release(major: 4, minor: 4))
            try expect(Wall.where { $0.shade == Shade(name: "s3") }.count(), 1)
            try expect(Wall.where { $0.shade.isIn([Shade(name: "s3"), Shade(name: "s4")]) }.count(), 2)
            try expect(Wall.findByPaint(Paint(3, 0)).count, 1)
            // The class of the argument differs from the class of the property.
            try expect(Wall.findByTrim(GlossyPaint(3, 3)).count, 1)
            try expect(Wall.findByCriteria("WHERE trim = ?", GlossyPaint(3, 3)).count, 1)
            try expect(Wall.findByVersionBetween(Release(major: 1, minor: 0), Release(major: 3, minor: 0)).count, 2)
            try expect(Wall.findByVersionsContaining(Release(major: 4, minor: 0)).count, 1)
            try expect(Wall.findByLayersContaining(Paint(2, 2)).count, 1)
            try expect(Wall.query.values(of: \.version).count, 5)
        }
    }

    @Test func `a comparison that the column does not support is refused`() throws {
        try withTemporarySession { _, _ in
            let wanted =
                "Shade is stored in a form that SQL can neither order nor calculate with"
            let error = #expect(throws: QueryError.self) { try Wall.where { $0.shade < Shade(name: "b") }.all() }
            #expect(text(of: error).contains(wanted))
            #expect(throws: FinderError.self) { try Wall.findByShadeGreaterThan(Shade(name: "b")) }
        }
    }

    @Test func `min and max use the order of the Swift values`() throws {
        try withTemporarySession { session, _ in
            for name in ["b", "c", "a"] {
                let wall = Wall()
                wall.shade = Shade(name: name)
                try wall.save()
            }
            #expect(try Wall.query.max(\.shade) == Shade(name: "c") && Wall.query.min(\.shade) == Shade(name: "a"))
        }
    }

    @Test func `a value that a codec rejects is an error with class, property and reason`() throws {
        try withTemporarySession { session, file in
            let wall = Wall()
            wall.paint.red = -1
            let refused = #expect(throws: StoreError.self) { try wall.save() }
            #expect(
                text(of: refused).hasPrefix(
                    "Wall.paint: PaintCodec cannot encode it: there is no red below 0"))
            wall.paint.red = 1
            try wall.save()
            try session.reset()
            _ = try file.sqlite("UPDATE wall SET trim = 'x'")
            let unread = #expect(throws: StoreError.self) { try Wall.all() }
            let unreadable = text(of: unread)
            #expect(unreadable.contains("Wall.trim") && unreadable.contains("x is no paint"), "\(unreadable)")
            let odd = #expect(throws: (any Error).self) { try OddOwner().save() }
            #expect(text(of: odd).contains("OddCodec.encode returns TEXT, but its column is INTEGER"))
        }
    }

    @Test func `a property declared with a subclass is refused if only the base class has a codec`() throws {
        try withTemporarySession { _, _ in
            let error = #expect(throws: SchemaError.self) { try GlossOwner.count() }
            expect(
                text(of: error),
                "GlossOwner.paint: GlossyPaint? cannot be stored: its codec, PaintCodec, encodes Paint. "
                    + "Give GlossyPaint its own codec, or declare the property as Paint")
        }
    }

    @Test func `coded values are included in JSON and snapshots`() throws {
        try withTemporarySession { session, _ in
            let wall = Wall()
            wall.paint = Paint(4, 5)
            wall.version = Release(major: 1, minor: 2)
            try wall.save()
            let json = try wall.json
            #expect(String(decoding: json, as: UTF8.self).contains("\"paint\":\"4,5\""))
            let read = try Wall(json: json)
            #expect(read.paint.red == 4 && read.version == wall.version)
            let snapshot = wall.snapshot()
            wall.version = nil
            expect(snapshot.version, Release(major: 1, minor: 2))
        }
    }

    @Test(arguments: SeededGenerator.seeds(8))
    func `random edits, saves and queries agree with a model`(seed: UInt64) throws {
        try withTemporarySession { session, _ in
            var random = SeededGenerator(seed: seed)
            var model: [Int64: (paint: String, version: Release?)] = [:]
            func check() throws {
                for wall in try Wall.all() {
                    let known = try #require(wall.id.flatMap { model[$0] })
                    #expect("\(wall.paint.red),\(wall.paint.green)" == known.paint && wall.version == known.version)
                }
                let pivot = Release(major: Int.random(in: 0..<5, using: &random), minor: 0)
                let expected = model.filter { $0.value.version.map { $0 >= pivot } ?? false }.keys.sorted()
                #expect(try Wall.where { $0.version >= pivot }.order(by: \.id).ids() == expected)
            }
            for _ in 0..<60 {
                let walls = try Wall.all()
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    let wall = Wall()
                    wall.version =
                        Bool.random(using: &random) ? nil : Release(major: .random(in: 0..<5, using: &random), minor: 1)
                    try wall.save()
                    model[try #require(wall.id)] = ("1,1", wall.version)
                case 1:
                    guard let wall = walls.randomElement(using: &random) else { continue }
                    wall.paint.red = .random(in: 0..<3, using: &random)
                    let isChange = "\(wall.paint.red),\(wall.paint.green)" != model[try #require(wall.id)]?.paint
                    #expect(wall.hasChanges == isChange)
                    if Bool.random(using: &random) {
                        try wall.save()
                        model[try #require(wall.id)]?.paint = "\(wall.paint.red),\(wall.paint.green)"
                    } else {
                        wall.revert()
                    }
                case 2:
                    guard let wall = walls.randomElement(using: &random) else { continue }
                    wall.version = Release(
                        major: .random(in: 0..<5, using: &random), minor: .random(in: 0..<3, using: &random))
                    try wall.save()
                    model[try #require(wall.id)]?.version = wall.version
                case 3: try session.reset()
                default: try check()
                }
            }
            try check()
        }
    }
}

/// The error's description, or an empty string if there is no error.
private func text(of error: (some Error)?) -> String { error.map { "\($0)" } ?? "" }
