import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

/// Has two references and two collections of its own class; another class has a column with the same name.
final class KeyedFolder: PersistentObject {
    override class var tableName: String { "transfer_folder" }
    override class var identity: Identity { .string }
    var parent: KeyedFolder?
    var home: KeyedFolder?
    var shown: [KeyedFolder] = []
    var byName: [String: KeyedFolder] = [:]
}

final class KeyedFile: PersistentObject {
    override class var tableName: String { "transfer_file" }
    var name = ""
    var parent: KeyedFolder?
}

class KeyedCrate: PersistentObject {
    override class var tableName: String { "transfer_crate" }
    override class var identity: Identity { .uuid }
    var parent: KeyedCrate?
    var home: KeyedFolder?
    var nearby: Set<KeyedCrate> = []
}

final class KeyedBox: KeyedCrate { var label: KeyedCrate? }

final class GivenNode: PersistentObject, CodableObject {
    override class var tableName: String { "transfer_node" }
    override class var identity: Identity { .given }
    var next: GivenNode?
    var others: [GivenNode] = []
    var byName: [String: GivenNode] = [:]
}

final class GivenLeaf: PersistentObject, CodableObject {
    override class var tableName: String { "transfer_leaf" }
    var next: GivenNode?
}

/// References are exported as the keys of their objects and imported again.
struct KeyedTransferTests {
    /// The sorted lines of an export, without the ids of objects with keys.
    private func rows(_ url: URL) throws -> [String] {
        try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
            let text = line.hasSuffix(",") ? String(line.dropLast()) : String(line)
            return text.contains("\"key\":") ? text.replacing(/"id":\d+,/, with: "") : text
        }.sorted()
    }

    /// Exports, compares each line with the object's JSON, imports into a new store, and exports again.
    private func expectCopy(_ types: [PersistentObject.Type], _ fill: (Session) throws -> Void) throws {
        try withTemporaryStore { first, file in
            try first.withSession(fill)
            let (out, again) = (file.folder.appending(path: "a"), file.folder.appending(path: "b"))
            for type in types {
                try first.export(type, to: out)
                let lines = try String(contentsOf: out, encoding: .utf8).split(separator: "\n").map { line in
                    String(line.replacing(/"\$class":"[A-Za-z]*",/, with: ""))
                }
                let objects = try first.withSession { _ in
                    try type.all().map { String(decoding: try $0.json, as: UTF8.self) }
                }
                expect(lines, objects)
            }
            for format in [TransferFormat.jsonLines, .json] {
                try first.export(types, to: out, as: format)
                try withTemporaryStore { second, _ in
                    try second.import(types, from: out)
                    try second.export(types, to: again, as: format)
                    #expect(try TestEngine.isPostgres || second.checkIntegrity().problems.isEmpty)
                }
                try expect(rows(out), rows(again))
            }
        }
    }

    @Test(arguments: SeededGenerator.seeds(8))
    func `references to the own class, and equal column names in other classes, keep their objects`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        try expectCopy([KeyedFolder.self, KeyedFile.self, KeyedCrate.self]) { session throws in
            let folders = try (0..<8).map { try KeyedFolder(key: "f\($0)") }
            let crates = (0..<8).map { $0 % 2 == 0 ? KeyedBox() : KeyedCrate() }
            // The order of the keys differs from the order of the ids.
            try session.save(folders.shuffled(using: &generator))
            try session.save(crates)
            func folder() -> KeyedFolder? {
                Bool.random(using: &generator) ? folders.randomElement(using: &generator) : nil
            }
            func crate() -> KeyedCrate? {
                Bool.random(using: &generator) ? crates.randomElement(using: &generator) : nil
            }
            for each in folders {
                (each.parent, each.home) = (folder(), folder())
                each.shown = [folder(), folder()].compactMap { $0 }
                each.byName = folder().map { ["x": $0] } ?? [:]
            }
            for each in crates {
                (each.parent, each.home) = (crate(), folder())
                each.nearby = Set([crate(), crate()].compactMap { $0 })
                (each as? KeyedBox)?.label = crate()
            }
            let files = (0..<5).map { number in
                let file = KeyedFile()
                (file.name, file.parent) = ("\(number)", folder())
                return file
            }
            try session.save(folders + crates + files)
        }
    }

    @Test func `a CSV export contains references as keys`() throws {
        try withTemporaryStore { store, file in
            try store.withSession { session throws in
                let (root, usr) = (try KeyedFolder(key: "root"), try KeyedFolder(key: "usr"))
                (usr.parent, root.home) = (root, usr)
                try session.save([root, usr])
            }
            let url = file.folder.appending(path: "a")
            try store.export(KeyedFolder.self, to: url, as: .csv)
            let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\r\n")
            expect(lines.first, "id,key,parent,home,shown,byName")
            expect(
                lines.dropFirst().map {
                    $0.split(separator: ",", omittingEmptySubsequences: false)[1...3].joined(separator: ",")
                }.sorted(),
                ["root,,usr", "usr,root,"])
        }
    }

    @Test func `UUID keys are written in lowercase everywhere`() throws {
        try withTemporaryStore { store, file in
            let text = try store.withSession { _ throws in
                let crate = KeyedCrate()
                crate.parent = crate
                try crate.save()
                return try #require(crate.key)
            }
            #expect(text == text.lowercased())
            let url = file.folder.appending(path: "a")
            for format in [TransferFormat.jsonLines, .json, .csv] {
                try store.export(KeyedCrate.self, to: url, as: format)
                let written = try String(contentsOf: url, encoding: .utf8)
                expect(written.ranges(of: text).count, 2, "\(written)")
            }
        }
    }

    @Test func `references of classes with given ids are exported and imported`() throws {
        try expectCopy([GivenNode.self, GivenLeaf.self]) { session throws in
            let nodes = try [40, 3, 7].map { try GivenNode(id: $0) }
            nodes[1].next = nodes[0]
            nodes[0].others = [nodes[2], nodes[0]]
            nodes[2].byName = ["a": nodes[1]]
            let leaf = GivenLeaf()
            leaf.next = nodes[1]
            try session.save(nodes)
            try leaf.save()
        }
        try withTemporarySession { session, _ in
            let (first, second) = (try GivenNode(id: 40), try GivenNode(id: 3))
            try first.save()
            second.next = first
            second.others = [first, first]
            second.byName = ["b": first]
            let json = try second.json
            let read = try GivenNode(json: json)
            #expect(read.next === first && read.others.count == 2 && read.byName["b"] === first)
            let decoded = try JSONDecoder().decode(GivenLeaf.self, from: Data(#"{"next":40}"#.utf8))
            #expect(decoded.next === first)
            let error = try #require(throws: TransferError.self) { try GivenNode(json: Data(#"{"next":"40"}"#.utf8)) }
            #expect("\(error)".contains("xpected the id of an object of GivenNode"), "\(error)")
        }
    }
}
