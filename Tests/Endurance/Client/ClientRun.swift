import Foundation
import PersistentObjects

/// Runs a typical program in two processes: events, hierarchies, first uses of classes by many tasks at once, undo, and
/// edits of released objects.
struct ClientRun: Sendable {
    let path: String

    private var configuration: Store.Configuration { .init(onNote: { _ in }) }

    /// Runs the program in two processes on one file.
    func run() throws -> String {
        let children = try (0..<2).map { number in
            try ChildProcess { try waitFor { try await work(number) } }
        }
        for child in children {
            let end = child.wait()
            try require(end == .finished, "\(end)")
        }
        let result = path + "-counts"
        try ChildProcess.run {
            let counts = try check()
            try Data(counts.utf8).write(to: URL(filePath: result))
        }
        return try String(contentsOfFile: result, encoding: .utf8)
    }

    private func work(_ number: Int) async throws {
        let store = try Store(path, configuration: configuration)
        defer { store.close() }
        try await lateUse(store)
        try await events(store, number)
        try undo(store)
        try droppedEdits(store)
        try await churn(store)
    }

    /// Saves objects of new classes in many tasks at once. Any of the tasks may create the tables.
    private func lateUse(_ store: Store) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask {
                    try await store.perform { session in
                        let (first, second, third) = (Late1(), Late2(), Late3())
                        (first.number, first.tag) = (number, "late")
                        (second.number, second.late) = (number, first)
                        (third.number, third.list) = (number, [second])
                        switch number % 3 {
                        case 0: try session.save([third])
                        case 1: try session.save([second, third])
                        default: try session.transaction { try session.save([first, second, third]) }
                        }
                        let found = try Late3.findBy.number(number)
                        try require(found.contains { $0 === third }, "a saved object is found as another")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Checks that every commit of this process is an event, filtered by class.
    private func events(_ store: Store, _ number: Int) async throws {
        let name = "watched \(number)"
        let ids = try await store.perform { session in
            let watched = (0..<3).map { _ in Square() }
            for (place, square) in watched.enumerated() {
                (square.name, square.size, square.corners) = (name, place, [1, 2, 3, 4])
                square.label = Label()
            }
            try session.save(watched)
            return watched.compactMap(\.id)
        }
        let mine = Set(ids)
        let stream = store.events
        let listening = Task {
            var kinds: [String] = []
            for await event in stream {
                guard let id = event.id, event.objectClass == Square.self, mine.contains(id.value) else { continue }
                kinds.append("\(event.kind)")
                if kinds.count == 6 { break }
            }
            return kinds
        }
        for id in ids {
            try await store.perform { session in
                guard let square = try Shape.find(id) as? Square else { throw Failure("\(id) is no square") }
                square.size += 10
                try square.save()
                try square.delete()
            }
        }
        let kinds = await listening.value
        try require(kinds == ["updated", "deleted", "updated", "deleted", "updated", "deleted"], "heard \(kinds)")
    }

    private func undo(_ store: Store) throws {
        try store.withSession { session in
            session.recordsUndo = true
            let square = Square()
            square.label = Label()
            square.label?.text = "one"
            try square.save()
            square.label?.text = "two"
            square.size = 2
            try square.save()
            try square.delete()
            try require(square.isDeleted, "a deleted square is not")
            try require(try session.undo(), "nothing to undo")
            try require(!square.isDeleted && square.label?.text == "two", "the square came back as \(square)")
            try require(try session.undo(), "nothing to undo")
            try require(square.size == 0 && square.label?.text == "one", "the square went back to \(square)")
            while try session.redo() {}
            try require(square.isDeleted, "a redone deletion is none")
        }
    }

    /// Checks that the session keeps the edits of objects to which no reference exists.
    private func droppedEdits(_ store: Store) throws {
        try store.withSession { session in
            let mark = "dropped \(UUID())"
            try session.transaction {
                for number in 0..<200 {
                    let circle = Circle()
                    (circle.name, circle.size) = (mark, number)
                    try circle.save()
                }
            }
            for circle in try Circle.where({ $0.name == mark }).all() { circle.radius = Double(circle.size) }
            for circle in try Circle.where({ $0.name == mark }).all() where circle.size.isMultiple(of: 2) {
                circle.revert()
            }
            try session.saveChanges()
            for circle in try Circle.where({ $0.name == mark }).all() {
                let radius = circle.size.isMultiple(of: 2) ? 1 : Double(circle.size)
                try require(circle.radius == radius, "a dropped edit came to \(circle.radius), not \(radius)")
            }
            try Circle.where { $0.name == mark }.delete()
        }
    }

    /// Finds, edits and releases the same objects in several tasks.
    private func churn(_ store: Store) async throws {
        let ids = try await store.perform { session in
            let shapes = (0..<40).map { number in number.isMultiple(of: 2) ? Circle() : Square() as Shape }
            try session.save(shapes)
            return shapes.compactMap(\.persistentID)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for round in 0..<50 {
                        try await store.perform { session in
                            let id = ids[round % ids.count]
                            try session.transaction(retries: 1000) {
                                guard let shape = try Shape.find(id) else { throw Failure("\(id) is gone") }
                                try require(try Shape.find(id) === shape, "two objects of one row")
                                try shape.reload()
                                shape.size += 1
                                try shape.save()
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let sum = try await store.perform { _ in
            try ids.reduce(0) { sum, id in sum + (try Shape.find(id)?.size ?? 0) }
        }
        try require(sum == 200, "200 increments came to \(sum)")
    }

    private func check() throws -> String {
        let store = try Store(path, configuration: configuration)
        defer { store.close() }
        try store.prepare(Circle.self, Square.self, Polygon.self, Late3.self)
        let report = try store.checkIntegrity()
        try require(report.problems.isEmpty, "\(report)")
        return try store.withSession { _ in
            let counts = (try Late1.count(), try Late2.count(), try Late3.count(), try Shape.count(), try Label.count())
            // The numbers 0, 3, 6 and so on save only the third object, which refers to the others.
            try require(counts == (32, 32, 32, 80, 0), "there are \(counts)")
            return "\(counts.0 + counts.1 + counts.2 + counts.3) objects agree"
        }
    }
}
