#if Sync
    import PersistentSync
    import TestSupport
    import Testing

    /// Worlds of five to seven devices: as designed none is bad, and each broken rule is noticed.
    @Suite struct SimulationTests {
        /// Whether the world of a seed is bad. The seeds below are the first of 300 that notice a broken rule.
        private func isBad<Rules: SyncRules>(
            _ rules: Rules.Type, _ mistake: SimulatedMistake? = nil, seed: UInt64
        ) -> Bool {
            SimulatedWorld<Rules>(seed: seed, mistake: mistake).problem() != nil
        }

        @Test(arguments: SeededGenerator.seeds(300))
        func `all devices show the same, and nothing is lost`(seed: UInt64) {
            expect(SimulatedWorld<StandardRules>(seed: seed).problem(), nil, "SEED=\(seed)")
        }

        /// Moved objects that a reset lost, counters that began again, groups that one key was created in, and states that
        /// devices returned to each other forever.
        @Test(arguments: [1735, 1787, 1939, 2811, 3046, 3675, 3747, 4303, 4916, 7561, 8189, 8816] as [UInt64])
        func `worlds that were bad once are good`(seed: UInt64) {
            expect(SimulatedWorld<StandardRules>(seed: seed).problem(), nil, "SEED=\(seed)")
        }

        @Test func `the worlds contain each kind of event`() {
            var counts: [Int] = []
            for seed in UInt64(0)..<24 {
                let world = SimulatedWorld<StandardRules>(seed: seed)
                let found = [
                    world.counts.forgotten, world.counts.returned, world.counts.resets, world.counts.joins,
                    world.counts.restores, world.counts.clones, world.counts.held,
                ]
                counts = counts.isEmpty ? found : zip(counts, found).map(+)
            }
            #expect(counts.allSatisfy { $0 > 0 }, "\(counts)")
        }

        @Test func `a seed gives one world`() {
            let worlds = (0..<2).map { _ in SimulatedWorld<StandardRules>(seed: 7) }
            expect(worlds[0].devices[0].replica.objects, worlds[1].devices[0].replica.objects)
            expect(worlds[0].devices[0].replica.number, worlds[1].devices[0].replica.number)
        }

        @Test func `ties that are decided by arrival are noticed`() { #expect(isBad(TiesByArrival.self, seed: 7)) }
        @Test func `an edit that does not beat what its author saw is noticed`() {
            #expect(isBad(OwnTime.self, seed: 1))
        }
        @Test func `forgetting too early is noticed`() { #expect(isBad(ForgetsEarly.self, seed: 27)) }
        @Test func `old batches that are joined again are noticed`() { #expect(isBad(AppliesRepeated.self, seed: 8)) }
        @Test func `an old file that keeps its identity is noticed`() {
            #expect(isBad(StandardRules.self, .keepsIdentity, seed: 0))
        }
        @Test func `moved objects that are dropped at once are noticed`() { #expect(isBad(DropsMoved.self, seed: 0)) }
        @Test func `unknown properties that are dropped are noticed`() {
            #expect(isBad(StandardRules.self, .dropsUnknown, seed: 1))
        }
        @Test func `edits that deletions lose are noticed`() { #expect(isBad(NoReturn.self, seed: 151)) }
        @Test func `elements that are taken for removed are noticed`() {
            #expect(isBad(StandardRules.self, .removesElements, seed: 0))
        }
        @Test func `a reset that loses unsent edits is noticed`() { #expect(isBad(LosesWork.self, seed: 2)) }
        @Test func `a reset that repeats unsent edits is noticed`() { #expect(isBad(SendsAgain.self, seed: 4)) }
    }
#endif
