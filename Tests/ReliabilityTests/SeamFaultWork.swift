import Foundation
import PersistentObjects
import PersistentTransfer

/// Kinds of work with objects for the engine faults. Each can be repeated after any failure.
enum FaultWork: String, CaseIterable {
    case firstUse, insert, update, read, links, finders, deletion, softDeletion, transaction, undo, transfer, sql
    case upsert, snapshots, foreign, change, keys, watched, queries

    static let classes: [PersistentObject.Type] = [
        FaultClub.self, FaultMember.self, FaultTrainer.self, FaultLetter.self,
    ]

    /// Whether the work starts with a file that has no tables.
    var isNew: Bool { self == .firstUse }

    /// Creates the content of the file before the work.
    static func fill(_ session: Session) throws {
        let club = try FaultClub(key: "chess")
        club.name = "Chess"
        club.rules = ["touch", "move"]
        let trainer = FaultTrainer()
        (trainer.name, trainer.level, trainer.club) = ("Tim", 3, club)
        let members = (0..<3).map { number in
            let member = FaultMember()
            (member.name, member.email, member.age) = ("M\(number)", "m\(number)@x.y", number == 1 ? nil : number)
            (member.club, member.friend, member.mentor) = (club, trainer, trainer)
            (member.photo, member.born) = (Data([1, 2, 3]), Date(timeIntervalSince1970: 1e9))
            (member.tags, member.scores, member.byName) = (["a", "b"], ["x": 1], ["c": club])
            let letter = FaultLetter()
            (letter.text, letter.about) = ("To number \(number)", trainer)
            member.letters = [letter]
            return member
        }
        trainer.trained = Set(members)
        try session.save(members)
        for sql in FaultLine.tables { try session.execute(sql) }
    }

    func run(_ store: Store, _ session: Session) throws {
        switch self {
        case .firstUse: try Self.use(session)
        case .insert: try Self.insert(session)
        case .update: try Self.update(session)
        case .read: try Self.read(session)
        case .links: try Self.followLinks(session)
        case .finders: try Self.find(session)
        case .queries: try Self.query(session)
        case .deletion: try Self.delete(session)
        case .softDeletion: try Self.deleteSoftly(session)
        case .transaction: try Self.transact(session)
        case .undo: try Self.undo(session)
        case .transfer: try Self.transfer(store)
        case .sql: try Self.runSQL(session)
        case .upsert: try Self.upsert(session)
        case .snapshots: try Self.mergeSnapshots(session)
        case .foreign: try Self.useForeign(session)
        case .change: try store.prepare(FaultLater.Club.self, FaultLater.Member.self)
        case .keys: try Self.useKeys(session)
        case .watched: try Self.followOthers(store, session)
        }
    }

    private static func use(_ session: Session) throws {
        let member = FaultMember()
        member.name = "New"
        try member.save()
    }

    private static func insert(_ session: Session) throws {
        let members = (0..<2).map { _ in
            let member = FaultMember()
            (member.name, member.email) = ("New", UUID().uuidString)
            (member.tags, member.scores, member.letters) = (["n"], ["y": 2], [FaultLetter()])
            (member.photo, member.club) = (Data([9]), FaultClub())
            return member
        }
        members[0].friend = members[1]
        members[1].friend = members[0]
        try session.save(members)
    }

    private static func update(_ session: Session) throws {
        let members = try FaultMember.query.order(by: \.name).limit(2).all()
        for member in members {
            member.age = (member.age ?? 0) + 1
            member.tags.formSymmetricDifference(["b", "c"])
            member.scores["x", default: 0] += 1
            member.letters.append(FaultLetter())
            member.photo = Data([UInt8(truncatingIfNeeded: member.age ?? 0)])
            member.mentor = nil
            member.byName["c"] = nil
        }
        members[0].email = UUID().uuidString
        try session.saveChanges()
    }

    private static func read(_ session: Session) throws {
        _ = try FaultMember.all()
        _ = try FaultMember.find(1)
        try session.reset()
        _ = try FaultMember.find([1, 2, 3])
        let member = try FaultMember.first()
        try member?.reload()
        try session.refresh()
        try FaultMember.query.forEachBatch(of: 2) { _ in }
    }

    private static func followLinks(_ session: Session) throws {
        let members: [FaultMember] = try FaultMember.all()
        _ = members.map { ($0.photo, $0.mentor) }
        _ = try FaultClub.all().map(\.members)
        _ = try FaultTrainer.all().map(\.trained)
        // The next call throws the errors that a property access cannot throw.
        try session.save(members)
    }

    private static func find(_ session: Session) throws {
        _ = try FaultMember.findByName("M1")
        _ = try FaultMember.findFirstBy.name("M2")
        let count: Int = try FaultMember.countByAgeGreaterThan(0)
        let sum: Int? = try FaultMember.sumOfAgeByName("M2")
        let created: FaultMember = try FaultMember.findOrCreateByEmail("created@x.y")
        _ = (count, sum, created)
        _ = try FaultMember.findByCriteria("WHERE name = ? ORDER BY age", "M1")
        _ = try FaultMember.deleteByName("nobody")
    }

    private static func query(_ session: Session) throws {
        let query = FaultMember.where { $0.club.name == "Chess" }.order(by: \.name)
        _ = try query.values(of: \.name, \.age)
        _ = try query.sum(\.age)
        _ = try query.average(\.weight)
        _ = try query.counted(by: \.name)
        _ = try query.grouped(by: \.age)
        _ = try query.page(1, of: 2).pageCount()
        _ = try query.explain()
        _ = try query.update { $0.weight = 1.5 }
        _ = try FaultMember.where { $0.tags.contains("a") && $0.scores.count > 0 }.ids()
        _ = try FaultLetter.search("number").all()
    }

    private static func delete(_ session: Session) throws {
        let doomed = FaultMember()
        (doomed.name, doomed.letters, doomed.tags) = ("Doomed", [FaultLetter()], ["d"])
        try doomed.save()
        try doomed.delete()
        try FaultMember.where { $0.name == "Doomed" }.delete()
        try FaultMember.find(2)?.delete()
        try FaultTrainer.deleteAll()
    }

    private static func deleteSoftly(_ session: Session) throws {
        let letter = FaultLetter()
        letter.text = "Gone"
        try letter.save()
        try letter.delete()
        try letter.restore()
        try FaultLetter.where { $0.text == "Gone" }.delete()
        try FaultLetter.onlyDeleted.restore()
        try letter.deleteForever()
    }

    private static func transact(_ session: Session) throws {
        try session.transaction {
            let outer = FaultMember()
            outer.name = "Outer"
            try outer.save()
            try transactInside(session, outer)
            _ = try FaultMember.count()
        }
    }

    private static func transactInside(_ session: Session, _ outer: FaultMember) throws {
        try session.transaction {
            outer.age = 5
            try outer.save()
            try FaultMember.where { $0.name == "Outer" && $0.age == 4 }.delete()
        }
    }

    private static func undo(_ session: Session) throws {
        session.recordsUndo = true
        defer { session.recordsUndo = false }
        let member = FaultMember()
        (member.name, member.tags, member.letters) = ("Undone", ["u"], [FaultLetter()])
        try member.save()
        member.age = 7
        member.tags = []
        try member.save()
        try member.delete()
        for _ in 0..<3 { try session.undo() }
        for _ in 0..<3 { try session.redo() }
    }

    private static func transfer(_ store: Store) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "members.json")
        try store.export([FaultMember.self, FaultClub.self, FaultLetter.self], to: file, as: .json)
        // Only these classes have keys, so they can be imported more than once.
        try store.export([FaultClub.self, FaultLetter.self], to: file)
        try store.import([FaultClub.self, FaultLetter.self], from: file)
    }

    private static func runSQL(_ session: Session) throws {
        _ = try session.rows("SELECT name, age FROM fault_member WHERE name > ?", "M")
        _ = try session.execute("UPDATE fault_member SET weight = weight + ? WHERE id = ?", 1.5, 1)
    }

    private static func upsert(_ session: Session) throws {
        let (known, new) = (FaultMember(), FaultMember())
        (known.email, known.age, known.tags) = ("m1@x.y", 9, ["z"])
        (new.email, new.age) = (UUID().uuidString, 8)
        _ = try session.upsert([known, new], on: \.email)
    }

    private static func mergeSnapshots(_ session: Session) throws {
        guard let member = try FaultMember.first() else { return }
        var snapshot = member.snapshot()
        try snapshot.set(\.name, to: "Merged")
        try snapshot.set(\.tags, to: ["m"])
        let merged = try session.merge(snapshot)
        try merged.save()
    }

    private static func useForeign(_ session: Session) throws {
        let lines = try FaultLine.all()
        _ = try FaultProduct.all().map(\.lines)
        lines.first?.quantity += 1
        let line = FaultLine()
        line.product = lines.first?.product
        try session.save(lines + [line])
        try line.delete()
    }

    private static func useKeys(_ session: Session) throws {
        let club = try FaultClub.find("chess")
        _ = try FaultClub.find(keys: ["chess", "none"])
        try club?.setKey("go")
        try club?.save()
        try club?.setKey("chess")
        try club?.save()
        let copy = club?.copy()
        try copy?.save()
    }

    private static func followOthers(_ store: Store, _ session: Session) throws {
        let members = try FaultMember.all()
        try store.withSession { _ in
            let other = try FaultMember.find(members[0].id ?? 0)
            other?.age = 77
            other?.tags.insert("other")
            try other?.save()
        }
        members[0].name += "!"
        _ = try FaultMember.all()
        try session.refresh()
        try session.saveChanges()
    }
}
