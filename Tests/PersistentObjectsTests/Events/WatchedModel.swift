import Foundation
import PersistentObjectsTesting
import TestSupport
import Testing

@testable import PersistentObjects

/// The classes of the tests of what is asked again.
enum Watched {
    final class Plant: PersistentObject {
        override class var tableName: String { "watched_plant" }
        var name = ""
        var height = 0
        var note: String?
        var garden: Garden?

        convenience init(_ name: String, _ height: Int = 0) {
            self.init()
            self.name = name
            self.height = height
        }
    }

    final class Garden: PersistentObject {
        override class var tableName: String { "watched_garden" }
        var name = ""
        var size = 0
        @Inverse(\Plant.garden) var plants: [Plant]
    }

    final class Tool: PersistentObject {
        override class var tableName: String { "watched_tool" }
        override class var softDeletes: Bool { true }
        var name = ""
        var price = 0
        var deletedAt: Date?
        var updatedAt: Date?
    }
}

/// Lets what the main actor has to do go on.
@MainActor func settle() async { for _ in 0..<40 { await Task.yield() } }

/// Waits until a condition holds; a test that waits in vain fails where it looks at it next.
@MainActor func wait(until isTrue: () throws -> Bool) async rethrows {
    for round in 0..<6000 where try !isTrue() {
        if round < 1000 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
    }
}

/// Follows a value on the main actor, and counts how often it was asked for.
@MainActor final class FollowedValue<Value: Equatable> {
    private(set) var values: [Value] = []
    private(set) var askCount = 0
    private(set) var error: (any Error)?
    private(set) var hasEnded = false
    private var task: Task<Void, Never>?

    init<T: Persistent>(_ query: Query<T>, _ answer: @escaping (Query<T>) throws -> Value) async {
        let updates = query.updates { query in
            self.askCount += 1
            return try answer(query)
        }
        await follow(updates)
    }

    init(_ session: Session, _ answer: @escaping () throws -> Value) async {
        let updates = session.updates {
            self.askCount += 1
            return try answer()
        }
        await follow(updates)
    }

    private func follow(_ updates: ValueUpdates<Value>) async {
        task = Task {
            do { for try await value in updates { values.append(value) } } catch { self.error = error }
            hasEnded = true
        }
        await wait { askCount > 0 && (!values.isEmpty || hasEnded) }
    }

    private func wait(until isTrue: () -> Bool) async { await PersistentObjectsTests.wait(until: isTrue) }

    func cancel() { task?.cancel() }
}
