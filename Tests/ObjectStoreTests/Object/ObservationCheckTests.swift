import Foundation
import Observation
import TestSupport
import Testing

@testable import PersistentObjects

/// What the library counts on in the run time's registrars.
struct ObservationCheckTests {
    @Observable final class Plain: PersistentObject {
        var n = 0
        @ObservationIgnored @Lazy var text: String?
        @ObservationIgnored @Transient var isMarked = false
    }

    @Observable class Base: PersistentObject { var n = 0 }

    @Observable final class Derived: Base { var m = 0 }

    final class Silent: Base { var k = 0 }

    final class Unobserved: PersistentObject { var n = 0 }

    /// Whether nobody observes the object. A look of another test at the same moment is taken for an answer, so one of
    /// many counts.
    private static func isLeft(_ observed: ObservedClass, _ object: PersistentObject) -> Bool {
        (0..<1000).contains { _ in !observed.isObserved(object) }
    }

    @Test func `this system's registrars are as the library knows them`() {
        #expect(RegistrarMemory.way != nil)
        #expect(ObservationCheck.isPassed)
    }

    @Test func `only observable classes have a part for it in their map`() throws {
        #expect(try ClassMap.map(of: Unobserved.self).observed == nil)
        #expect(try !ClassMap.map(of: Unobserved.self).baseline.isObserved)
        #expect(try ClassMap.map(of: Plain.self).observed != nil)
        #expect(try ClassMap.map(of: Silent.self).observed != nil)
        try expect(ClassMap.map(of: Plain.self).properties.map(\.name), ["n", "text"])
    }

    @Test func `an object is observed from the first read to the first change`() throws {
        let observed = try #require(try ClassMap.map(of: Plain.self).observed)
        let object = Plain()
        #expect(Self.isLeft(observed, object))
        withObservationTracking {
            _ = object.n
        } onChange: {
        }
        #expect(observed.isObserved(object) && Self.isLeft(observed, Plain()))
        observed.tell(object) { $0 != \Plain.n }
        #expect(observed.isObserved(object))
        observed.tell(object) { $0 == \Plain.n }
        #expect(Self.isLeft(observed, object))
    }

    @Test func `each class of a hierarchy has a registrar`() throws {
        let observed = try #require(try ClassMap.map(of: Derived.self).observed)
        for read in [{ _ = $0.n }, { _ = $0.m }] as [(Derived) -> Void] {
            let object = Derived()
            withObservationTracking {
                read(object)
            } onChange: {
            }
            #expect(observed.isObserved(object))
            observed.tell(object) { _ in true }
            #expect(Self.isLeft(observed, object))
        }
    }

    @Test func `observers may come and go on other threads meanwhile`() throws {
        // An observer that waits for two objects leaves both when one of them changes, wherever that is.
        let observed = try #require(try ClassMap.map(of: Plain.self).observed)
        let object = Plain()
        let flags = (0..<200).map { _ in Switch() }
        for flag in flags {
            withObservationTracking {
                _ = (object.n, flag.isOn)
            } onChange: {
            }
        }
        // A thread of its own: this one is of those that tasks share, and does not wait for another of them.
        Thread.detachNewThread { for flag in flags { flag.turn() } }
        while observed.isObserved(object) { observed.tell(object) { _ in false } }
        #expect(Self.isLeft(observed, object))
    }

    /// Something to observe that may be changed on any thread.
    private final class Switch: Observable, Sendable {
        private let registrar = ObservationRegistrar()
        private let state = Locked(false)

        var isOn: Bool {
            registrar.access(self, keyPath: \.isOn)
            return state.withLock { $0 }
        }

        func turn() { registrar.withMutation(of: self, keyPath: \.isOn) { state.withLock { $0 = true } } }
    }
}
