/// The program of `BuildModeTests`, in three modules or in one: the library's way to write fields, classes with
/// fields of each visibility, and the checks that must hold in each build mode.
enum BuildModeSources {
    /// The library: finds fields as `FieldMetadata` does, and reads and writes them by address.
    static let core = """
        import CSQLite

        open class Base {
            public required init() {}
            public final var header = 0
            open func first() {}
            open func second(_ number: inout Int) {}
            open func third() throws {}
            deinit {
                Trace.log.append("base")
                Trace.inDeinit?(Unmanaged.passUnretained(self).toOpaque(), type(of: self))
            }
        }
        public enum Trace {
            // The program has one thread.
            nonisolated(unsafe) public static var log: [String] = []
            nonisolated(unsafe) public static var inDeinit: ((UnsafeMutableRawPointer, AnyClass) -> Void)?
        }
        public final class Token {
            let name: String
            public init(_ name: String) { self.name = name }
            deinit { Trace.log.append("~" + name) }
        }
        @inline(never) public func offset(_ type: AnyClass, _ name: String) -> Int {
            let pointer = unsafeBitCast(type, to: UnsafeRawPointer.self)
            for index in 0..<po_field_count(pointer) {
                var field = po_field_metadata()
                _ = po_field_type(pointer, index, &field)
                defer { field.free_name?(field.name) }
                if let found = field.name, String(cString: found) == name { return po_field_offset(pointer, index) }
            }
            fatalError("no field \\(name)")
        }
        final class Plain: Base {}
        final class FirstProbe: Base { override func first() { header = 1 } }
        final class SecondProbe: Base { override func second(_ number: inout Int) { header = 2 } }
        final class ThirdProbe: Base { override func third() throws { header = 3 } }
        /// Which of the methods a class overrides, as `MethodTable` finds out.
        @inline(never) public func overridden(_ type: AnyClass) -> [Bool] {
            func word(_ type: AnyClass, _ index: Int) -> UInt {
                unsafeBitCast(type, to: UnsafePointer<UInt>.self)[index]
            }
            let descriptor = unsafeBitCast(Base.self as AnyClass, to: UnsafePointer<UnsafeRawPointer>.self)[5]
            let size = Int(descriptor.load(fromByteOffset: 28, as: UInt32.self))
            return [FirstProbe.self, SecondProbe.self, ThirdProbe.self].map { (probe: AnyClass) in
                let places = (6..<size).filter {
                    word(probe, $0) != word(Base.self, $0) && word(Plain.self, $0) == word(Base.self, $0)
                }
                return places.count != 1 || word(type, places[0]) != word(Base.self, places[0])
            }
        }
        @inline(__always) public func start(_ object: AnyObject) -> UnsafeMutableRawPointer {
            Unmanaged.passUnretained(object).toOpaque()
        }
        public func poke<T>(_ object: AnyObject, _ name: String, _ value: T) {
            (start(object) + offset(type(of: object), name)).assumingMemoryBound(to: T.self).pointee = value
        }
        extension Base {
            public func reload(_ name: String, _ value: Int) { poke(self, name, value) }
            public final func reloadFinal(_ offset: Int, _ value: Int) {
                (start(self) + offset).assumingMemoryBound(to: Int.self).pointee = value
            }
            @inlinable public final func reloadInlined(_ offset: Int, _ value: Int) {
                (Unmanaged.passUnretained(self).toOpaque() + offset).assumingMemoryBound(to: Int.self).pointee = value
            }
            @inlinable public final func reloadText(_ offset: Int, _ value: String) {
                (Unmanaged.passUnretained(self).toOpaque() + offset).assumingMemoryBound(to: String.self).pointee = value
            }
        }
        """

    /// The classes, to whose fields no visible code writes.
    static let model = """
        #if MODULES
            import Core
        #endif
        public final class Public: Base {
            public var never = 0
            public private(set) var readOnly = 0
            var inModule = 0
            fileprivate var inFile = 0
            private var hidden = 0
            private var once: Int
            private var text = "start"
            public required init() { once = 5 }
            public func numbers() -> [Int] { [never, readOnly, inModule, inFile, hidden, once] }
            public func words() -> String { text }
        }
        open class Open: Base {
            public var never = 0
            private var hidden = 0
            public func numbers() -> [Int] { [never, hidden] }
        }
        final class Final: Base {
            var never = 0
            private var hidden = 0
            var flag = false
            var maybe: Int?
            var name = ""
            private var list: [Int] = []
            var observed = 0 { didSet { calls += 1 } }
            var calls = 0
            func numbers() -> [Int] { [never, hidden, flag ? 1 : 0, maybe ?? -1, list.count, observed, calls] }
        }
        open class Middle: Base {
            public var text = "middle, long enough for the heap"
            public var token = Token("middle")
            public var numbers = [1, 2, 3]
            deinit {
                text = "changed in deinit, and long enough"
                numbers = []
                Trace.log.append("middle")
            }
        }
        class Overriding: Base {
            var number = 0
            override func second(_ number: inout Int) { number += 1 }
        }
        final class OverridingMore: Overriding { override func third() throws { number = 3 } }
        final class Generic<T>: Base { override func first() { header = 4 } }
        @inline(never) func methods(_ objects: [Base]) {
            var number = 0
            for object in objects {
                object.first()
                object.second(&number)
                try? object.third()
            }
            expect(number == 2 && objects.last?.header == 4, "\\(number)")
            expect(objects.map { overridden(type(of: $0)) } == [
                [false, false, false], [false, true, false], [false, true, true], [true, false, false],
            ], "\\(objects.map { overridden(type(of: $0)) })")
        }
        // The program has one thread.
        nonisolated(unsafe) var failures = 0
        func expect(_ condition: Bool, _ text: @autoclosure () -> String, line: Int = #line) {
            if !condition {
                failures += 1
                print("line \\(line):", text())
            }
        }
        @inline(never) func writtenByNobody() {
            let all = Public()
            for name in ["never", "readOnly", "inModule", "inFile", "hidden", "once"] { poke(all, name, 42) }
            poke(all, "text", "written")
            expect(all.numbers() == [42, 42, 42, 42, 42, 42] && all.words() == "written", "\\(all.numbers())")
            let open = Open()
            for name in ["never", "hidden"] { poke(open, name, 42) }
            expect(open.numbers() == [42, 42], "\\(open.numbers())")
            let last = Final()
            for name in ["never", "hidden", "observed"] { poke(last, name, 42) }
            poke(last, "flag", true)
            poke(last, "maybe", Int?.some(42))
            poke(last, "list", [1, 2, 3])
            expect(last.numbers() == [42, 42, 1, 42, 3, 42, 0], "\\(last.numbers())")
        }
        @inline(never) func turns(_ object: Final, _ write: (Final, Int) -> Void) -> Int {
            var count = 0
            while object.never == 0, count < 1000 {
                write(object, count >= 3 ? 1 : 0)
                count += 1
            }
            return count
        }
        @inline(never) func localTurns(_ offset: Int) -> Int {
            let object = Final()
            var count = 0
            while object.never == 0, count < 1000 {
                object.reloadInlined(offset, count >= 3 ? 1 : 0)
                count += 1
            }
            return count
        }
        @inline(never) func loadStoreLoad(_ object: Final, _ offset: Int) -> [Int] {
            object.never = 5
            let before = object.never
            object.reloadInlined(offset, 9)
            return [before, object.never]
        }
        @inline(never) func readOnlyByAddress(_ offset: Int) -> Int {
            let object = Final()
            object.never = 77
            let found = (start(object) + offset).load(as: Int.self)
            object.never = 3
            return found
        }
        @inline(never) func useAfter(_ text: String, _ object: Final, _ offset: Int) -> Int {
            object.reloadText(offset, String(repeating: "z", count: 40))
            return text.utf8.reduce(0) { $0 + Int($1) }
        }
        @inline(never) func iterate(_ object: Final, _ offset: Int) -> Int {
            var sum = 0
            for byte in object.name.utf8 {
                object.reloadText(offset, String(repeating: "q", count: 45))
                sum += Int(byte)
            }
            return sum
        }
        @inline(never) func lastStore(_ value: Int) {
            let object = Final()
            object.never = value
            object.name = "name\\(value), long enough to be on the heap"
        }
        public func checkModel() -> Int {
            writtenByNobody()
            methods([Base(), Overriding(), OverridingMore(), Generic<Int>()])
            let never = offset(Final.self, "never")
            let name = offset(Final.self, "name")
            expect(turns(Final()) { $0.reload("never", $1) } == 4, "dynamic")
            expect(turns(Final()) { $0.reloadFinal(never, $1) } == 4, "final")
            expect(turns(Final()) { $0.reloadInlined(never, $1) } == 4, "inlined")
            expect(localTurns(never) == 4, "local")
            expect(loadStoreLoad(Final(), never) == [5, 9], "load, store, load")
            expect(readOnlyByAddress(never) == 77, "a store that only an address reads")
            let object = Final()
            object.name = String(repeating: "a", count: 50)
            expect(useAfter(object.name, object, name) == 97 * 50, "a text that is overwritten while in use")
            object.name = String(repeating: "a", count: 50)
            expect(iterate(object, name) == 97 * 50, "a text that is overwritten while walked")
            // The program has one thread.
            nonisolated(unsafe) var seen: (Int, String)?
            Trace.inDeinit = { start, type in
                if type == Final.self { seen = ((start + never).load(as: Int.self), (start + name).load(as: String.self)) }
            }
            lastStore(123)
            expect(seen?.0 == 123 && seen?.1 == "name123, long enough to be on the heap", "\\(seen as Any)")
            return failures
        }
        """

    /// The program: a subclass of a subclass, and the order of its deinitialization.
    static let program = """
        #if MODULES
            import Core
            import Model
        #endif
        final class Leaf: Middle {
            var name = "leaf, long enough for the heap"
            var leafToken = Token("leaf")
            var maybe: String? = "something, long enough for the heap"
            deinit {
                name = "changed in deinit, a long text too"
                maybe = nil
                Trace.log.append("leaf")
            }
        }
        struct Failure: Error {}
        final class Failing: Base {
            var token = Token("failing")
            required init() { super.init() }
            init(late: Bool) throws {
                super.init()
                if late { throw Failure() }
            }
        }
        @inline(never) func live() {
            let leaf = Leaf()
            leaf.name = "edited, and long enough for the heap"
        }
        let broken = checkModel()
        // The program has one thread.
        nonisolated(unsafe) var seen = ""
        Trace.log = []
        Trace.inDeinit = { start, type in
            guard type == Leaf.self else { return }
            let name = (start + offset(Leaf.self, "name")).load(as: String.self)
            let text = (start + offset(Leaf.self, "text")).load(as: String.self)
            let numbers = (start + offset(Leaf.self, "numbers")).load(as: [Int].self)
            let maybe = (start + offset(Leaf.self, "maybe")).load(as: String?.self)
            seen = "\\(name)|\\(text)|\\(numbers)|\\(maybe ?? "nil")"
        }
        live()
        let order = Trace.log
        Trace.log = []
        _ = try? Failing(late: true)
        print(
            broken == 0 ? "ok" : "broken", order.joined(separator: " "), seen, Trace.log.joined(separator: " "),
            separator: "\\n")
        """
}
