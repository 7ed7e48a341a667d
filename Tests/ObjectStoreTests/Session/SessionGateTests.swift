import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Overlapping use is an error of the client; the library's internal uses of a session must not cause it.
struct SessionGateTests {
    final class Person: PersistentObject {
        override class var tableName: String { "gate_person" }
        var age = 0
    }

    private final class Door: Sendable {
        private let gate = SessionGate()

        func enter() -> Bool { gate.enter() }
        func enterAlone() -> Bool { gate.enterAlone() }
        func leave() { gate.leave() }
        var isOutermost: Bool { gate.isOutermost }
    }

    @Test func `a call made during an internal use waits for its end`() {
        for _ in 0..<200 {
            let door = Door(), order = Recorder<String>(), end = DispatchSemaphore(value: 0)
            let began = DispatchSemaphore(value: 0)
            #expect(door.enterAlone())
            Thread.detachNewThread {
                began.signal()
                let isInside = door.enter()
                order.add(isInside ? "came" : "was refused")
                if isInside { door.leave() }
                end.signal()
            }
            began.wait()
            for _ in 0..<20 { sched_yield() }
            order.add("left")
            door.leave()
            end.wait()
            expect(order.all, ["left", "came"])
        }
    }

    @Test func `an internal use does not start during a client's use, and a second client is refused`() {
        let door = Door(), found = Recorder<Bool>(), end = DispatchSemaphore(value: 0)
        #expect(door.enter() && door.enter() && !door.enterAlone())
        Thread.detachNewThread {
            found.add(door.enter())
            found.add(door.enterAlone())
            end.signal()
        }
        end.wait()
        expect(found.all, [false, false])
        door.leave()
        #expect(!door.enterAlone())
        door.leave()
        #expect(door.enterAlone() && door.enter() && !door.isOutermost)
        door.leave()
        door.leave()
        #expect(door.enterAlone())
    }

    @Test func `releasing memory refuses no call of a session in use`() throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(durability: .relaxed))
        let errors = Recorder<String>(), isOver = Recorder<Bool>()
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            guard number == 0 else {
                while isOver.all.isEmpty { store.releaseMemory() }
                return
            }
            defer { isOver.add(true) }
            do {
                try store.withSession { _ in
                    let person = Person()
                    for age in 1...500 {
                        person.age = age
                        try person.save()
                        if try Person.where({ $0.age == age }).count() != 1 { errors.add("\(age) is not there") }
                    }
                }
            } catch { errors.add("\(error)") }
        }
        expect(errors.all, [])
    }
}
