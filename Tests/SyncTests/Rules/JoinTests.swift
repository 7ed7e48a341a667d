#if Sync
    import PersistentSync
    import TestSupport
    import Testing

    /// The join of two states.
    @Suite struct JoinTests {
        private func joined(_ one: ObjectState, _ other: ObjectState) -> ObjectState {
            var state = one
            state.join(other, by: StandardRules.self)
            return state
        }

        @Test func `the order, the grouping and the repetition of joins do not matter`() {
            for seed in SeededGenerator.seeds(10_000) {
                var any = AnyState(random: SeededGenerator(seed: seed))
                let (one, two, three) = (any.state(), any.state(), any.state())
                expect(joined(one, two), joined(two, one), "SEED=\(seed)")
                expect(joined(joined(one, two), three), joined(one, joined(two, three)), "SEED=\(seed)")
                expect(joined(one, one), one, "SEED=\(seed)")
                expect(joined(joined(one, two), two), joined(one, two), "SEED=\(seed)")
            }
        }

        @Test func `a join reports whether the state changed`() {
            for seed in SeededGenerator.seeds(1_000) {
                var any = AnyState(random: SeededGenerator(seed: seed))
                let (one, two) = (any.state(), any.state())
                var state = one
                let isChanged = state.join(two, by: StandardRules.self)
                expect(isChanged, !state.isSame(as: one), "SEED=\(seed)")
            }
        }

        @Test func `two spellings of a letter, two zeros and two NaNs are different values`() {
            let values: [SyncValue] = [
                .text(Text(utf8: [0xC3, 0xA9])), .text(Text(utf8: [0x65, 0xCC, 0x81])), .real(0), .real(-0.0),
                .real(.nan), .real(-.nan), .integer(0), .null, .text("0"), .decimal("0"), .bytes([0x30]),
            ]
            expect(Set(values).count, values.count)
            for (index, one) in values.sorted().enumerated() {
                for (other, two) in values.sorted().enumerated() { expect(one < two, index < other) }
            }
        }

        @Test func `a counter is the sum of its parts, and stops at the limits of its type`() {
            func total(_ sums: [SyncValue]) -> SyncValue {
                let parts = sums.enumerated().map { (DeviceID(UInt128($0)), CounterPart(count: 1, sum: $1)) }
                return Dictionary(uniqueKeysWithValues: parts).total
            }
            expect(total([]), .integer(0))
            expect(total([.integer(3), .integer(-5)]), .integer(-2))
            expect(total([.integer(.max), .integer(.max), .integer(.min)]), .integer(.max - 1))
            expect(total([.integer(.max), .integer(1)]), .integer(.max))
            expect(total([.integer(.min), .integer(-1)]), .integer(.min))
            expect(total([.real(0.5), .integer(2), .text("a")]), .real(2.5))
        }

        @Test func `a place is between any two others`() {
            for seed in SeededGenerator.seeds(200) {
                var random = SeededGenerator(seed: seed)
                var places: [Place] = []
                for _ in 0..<120 {
                    let index = Int.random(in: 0...places.count, using: &random)
                    let lower = index > 0 ? places[index - 1] : nil
                    let upper = index < places.count ? places[index] : nil
                    let device = DeviceID(UInt128.random(in: 0...9, using: &random))
                    let place = Place.between(lower, upper, by: device, using: &random)
                    if let lower { #expect(lower < place, "SEED=\(seed)") }
                    if let upper { #expect(place < upper, "SEED=\(seed)") }
                    #expect(place.digits.last != 0)
                    places.insert(place, at: index)
                }
            }
        }

        @Test func `an element that is inserted before the first one stays short`() {
            var random = SeededGenerator(seed: 1)
            var (first, last): (Place?, Place?) = (nil, nil)
            for _ in 0..<500 {
                first = Place.between(nil, first, by: DeviceID(1), using: &random)
                last = Place.between(last, nil, by: DeviceID(1), using: &random)
            }
            #expect(first?.digits.count ?? 0 < 1024)
            #expect(last?.digits.count ?? 0 < 100)
        }

        @Test func `a device's clock exceeds what it overwrites, and follows others only if they are near`() {
            var clock = DeviceClock()
            let (now, device): (UInt64, DeviceID) = (1_000_000, DeviceID(7))
            expect(clock.next(at: now, after: .none, by: device), Clock(now << 16, device))
            expect(clock.next(at: now, after: .none, by: device), Clock(now << 16 + 1, device))
            let far = Clock((now + 10_000_000) << 16, DeviceID(1))
            expect(clock.next(at: now, after: far, by: device).time, far.time + 1)
            clock.follow(far, at: now)
            expect(clock.last, now << 16 + 2)
            clock.follow(Clock((now + DeviceClock.followed) << 16, DeviceID(1)), at: now)
            expect(clock.last, (now + DeviceClock.followed) << 16)
            clock.follow(Clock(1, DeviceID(1)), at: now)
            expect(clock.last, (now + DeviceClock.followed) << 16)
        }

        @Test func `no clock and no life exceeds what devices accept`() {
            var clock = DeviceClock()
            expect(clock.next(at: .max, after: .none, by: DeviceID(1)).time, Clock.latest)
            expect(clock.next(at: 1, after: Clock(.max, DeviceID(1)), by: DeviceID(1)).time, Clock.latest)
            expect(Life.next(Life.longest), Life.longest)
            #expect(!Life.isAlive(Life.longest))
            expect(StandardRules.firstLife(after: Life.longest, floor: 0), Life.longest)
        }
    }
#endif
