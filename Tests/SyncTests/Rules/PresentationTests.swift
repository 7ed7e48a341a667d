#if Sync
    import PersistentSync
    import TestSupport
    import Testing

    /// What the tables contain, given the states.
    @Suite struct PresentationTests {
        private let device = DeviceID(1)
        private func key(_ name: String, _ type: Text = "note") -> ObjectKey { ObjectKey(type, .text(Text(name))) }

        private func state(_ values: [Text: SyncValue], at time: UInt64 = 1, life: Int64 = 1) -> ObjectState {
            var state = ObjectState(in: GroupID(1))
            state.life = life
            state.properties = Registers(values.mapValues { Register($0, Clock(time, device)) })
            return state
        }

        @Test func `the object with the older clock shows a unique value, and the other one shows it when it is free`()
        {
            let classes: [Text: ClassShape] = ["note": ClassShape(["mail": PropertyShape(.value)], unique: [["mail"]])]
            var objects = [key("b"): state(["mail": .text("x")], at: 1), key("a"): state(["mail": .text("x")], at: 2)]
            var shown = Presentation(of: ObjectMap(objects), classes: classes)
            expect(shown.rows[key("b")], ["mail": .value(.text("x"))])
            expect(shown.rows[key("a")], ["mail": .value(.null)])
            expect(shown.waitingValues, [key("a"): ["mail": .held(by: key("b"))]])
            objects[key("b")] = state(["mail": .text("y")], at: 3)
            shown = Presentation(of: ObjectMap(objects), classes: classes)
            expect(shown.rows[key("a")], ["mail": .value(.text("x"))])
            expect(shown.waitingValues, [:])
        }

        @Test func `an object whose required value another object shows waits as a whole`() {
            let mail = PropertyShape(.value, isRequired: true)
            let classes: [Text: ClassShape] = [
                "note": ClassShape(["mail": mail, "code": mail], unique: [["mail"], ["code"]])
            ]
            // `b` shows what `c` needs, and `a` shows what `b` needs, so `c` is shown.
            let objects = [
                key("a"): state(["mail": .text("x"), "code": .text("1")], at: 1),
                key("b"): state(["mail": .text("x"), "code": .text("2")], at: 2),
                key("c"): state(["mail": .text("y"), "code": .text("2")], at: 3),
            ]
            let shown = Presentation(of: ObjectMap(objects), classes: classes)
            expect(Set(shown.rows.keys), [key("a"), key("c")])
            expect(shown.waiting, [key("b"): .held(by: key("a"))])
        }

        @Test
        func `an object waits for its owner and for required targets, and a reference shows nil without its target`() {
            let classes: [Text: ClassShape] = [
                "note": ClassShape(["friend": PropertyShape(.reference)]),
                "line": ClassShape(["note": PropertyShape(.owner)]),
                "mark": ClassShape(["line": PropertyShape(.reference, isRequired: true)]),
            ]
            var objects = [
                key("n"): state(["friend": .object(key("o"))]),
                key("l", "line"): state(["note": .object(key("o"))]),
                key("m", "mark"): state(["line": .object(key("l", "line"))]),
            ]
            var shown = Presentation(of: ObjectMap(objects), classes: classes)
            expect(shown.rows, [key("n"): ["friend": .value(.null)]])
            expect(shown.waitingValues, [key("n"): ["friend": .missing(key("o"))]])
            expect(
                shown.waiting,
                [key("l", "line"): .missing(key("o")), key("m", "mark"): .missing(key("l", "line"))])
            objects[key("o")] = state(["friend": .null])
            shown = Presentation(of: ObjectMap(objects), classes: classes)
            expect(shown.rows.count, 4)
            expect(shown.rows[key("n")], ["friend": .value(.object(key("o")))])
            objects[key("o")] = state(["friend": .null], life: 2)
            expect(Presentation(of: ObjectMap(objects), classes: classes).rows.keys.map(\.self), [key("n")])
        }

        @Test func `unknown classes and properties wait, and initial values are shown where no version wrote any`() {
            let classes: [Text: ClassShape] = [
                "note": ClassShape(["title": PropertyShape(.value), "c": PropertyShape(.value, initial: .integer(3))])
            ]
            let objects = [
                key("n"): state(["title": .text("t"), "colour": .text("red")]), key("x", "sound"): state([:]),
            ]
            let shown = Presentation(of: ObjectMap(objects), classes: classes)
            expect(shown.rows, [key("n"): ["title": .value(.text("t")), "c": .value(.integer(3))]])
            expect(shown.waiting, [key("x", "sound"): .unknownClass])
            expect(shown.waitingValues, [key("n"): ["colour": .unknownProperty]])
        }

        @Test func `collections show what is present, and elements that refer to nothing are not shown`() {
            let classes: [Text: ClassShape] = [
                "note": ClassShape([
                    "tags": PropertyShape(.set), "map": PropertyShape(.dictionary), "list": PropertyShape(.array),
                    "low": PropertyShape(.minimum), "high": PropertyShape(.maximum), "count": PropertyShape(.counter),
                ])
            ]
            var note = state([:])
            let clock = Clock(1, device)
            note.sets["tags"] = [.text("in"): 3, .text("out"): 2, .object(key("gone")): 1]
            note.dictionaries["map"] = [
                .text("in"): DictionaryEntry(length: 1, value: Register(.integer(5), clock)),
                .text("out"): DictionaryEntry(length: 2, value: Register(.integer(6), clock)),
            ]
            note.arrays["list"] = [
                ElementID(device, 1): ArrayElement(
                    length: 1, place: Register(Place([9]), clock), value: Register(.text("second"), clock)),
                ElementID(device, 2): ArrayElement(
                    length: 1, place: Register(Place([8, 1]), clock), value: Register(.text("first"), clock)),
                ElementID(device, 3): ArrayElement(
                    length: 2, place: Register(Place([7]), clock), value: Register(.text("removed"), clock)),
                ElementID(device, 4): ArrayElement(
                    length: 1, place: Register(Place([6]), clock), value: Register(.object(key("gone")), clock)),
            ]
            note.minima["low"] = .integer(1)
            note.maxima["high"] = .integer(9)
            note.counters["count"] = [device: CounterPart(count: 1, sum: .integer(4))]
            let shown = Presentation(of: [key("n"): note], classes: classes)
            expect(
                shown.rows[key("n")],
                [
                    "tags": .set([.text("in")]), "map": .dictionary([.text("in"): .integer(5)]),
                    "list": .array([.text("first"), .text("second")]), "low": .value(.integer(1)),
                    "high": .value(.integer(9)), "count": .value(.integer(4)),
                ])
        }
    }
#endif
