import Foundation
import Observation
@_spi(Locks) import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// The library's assumptions about the runtime's observation registrars.
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

    /// Whether the object is not observed. An access by another test at the same moment counts as an observer, so one
    /// negative result of many is enough.
    private static func isLeft(_ observed: ObservedClass, _ object: PersistentObject) -> Bool {
        (0..<1000).contains { _ in !observed.isObserved(object) }
    }

    @Test func `the registrars of this system pass the library's check`() {
        #expect(RegistrarMemory.way != nil)
        #expect(ObservationCheck.isPassed)
    }

    @Test func `only observable classes have an observed part in their class map`() throws {
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
        observed.notify(object) { $0 != \Plain.n }
        #expect(observed.isObserved(object))
        observed.notify(object) { $0 == \Plain.n }
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
            observed.notify(object) { _ in true }
            #expect(Self.isLeft(observed, object))
        }
    }

    @Test func `observers can be added and removed on other threads during notifications`() throws {
        // An observer of two objects is removed from both when either of them changes.
        let observed = try #require(try ClassMap.map(of: Plain.self).observed)
        let object = Plain()
        let flags = (0..<200).map { _ in Switch() }
        for flag in flags {
            withObservationTracking {
                _ = (object.n, flag.isOn)
            } onChange: {
            }
        }
        // A separate thread, because this thread belongs to the pool that tasks share and must not wait for another
        // of its threads.
        Thread.detachNewThread { for flag in flags { flag.turn() } }
        while observed.isObserved(object) { observed.notify(object) { _ in false } }
        #expect(Self.isLeft(observed, object))
    }

    /// An observable value that can be changed on any thread.
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
