#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync
    import Synchronization

    /// A process of a device. Two processes may belong to one device, and then use one file.
    struct SyncProcess: Sendable {
        let folder: String
        let device: Int
        let process: Int
        /// The number of devices.
        let devices: Int
        /// Where the devices exchange files.
        let place: SyncPlace

        var name: String { "process-\(process)" }
        var ledger: String { "\(folder)/\(name).ledger" }
        private var file: String { "\(folder)/device-\(device).sqlite" }
        private var isFounder: Bool { process == 0 }

        func open<R: Sendable>(_ body: (Store, Sync) async throws -> R) async throws -> R {
            var configuration = Store.Configuration(onNote: { _ in })
            configuration.busyTimeout = .seconds(60)
            let store = try Store(file, configuration: configuration)
            defer { store.close() }
            try store.prepare(Folio.self, Remark.self)
            var settings = Sync.Configuration(stateFolder: URL(filePath: "\(folder)/keys-\(device)"))
            // Snapshots are written every few rounds.
            settings.snapshotThreshold = 10_000
            return try await body(store, try place.sync(store, folder, "device \(device)", settings))
        }

        /// Works until it is killed.
        func work(_ seed: UInt64) async throws {
            try await open { store, sync in
                var random = Randomness(seed)
                let group = try await enter(sync)
                // Rounds between the changes, or at the same time.
                guard random.chance(0.5) else {
                    return try await change(store, sync, group, &random) { $0.chance(0.3) }
                }
                let other = random
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    tasks.addTask { while true { try await meet(sync) } }
                    tasks.addTask {
                        var random = other
                        try await change(store, sync, group, &random) { _ in false }
                    }
                    try await tasks.next()
                }
            }
        }

        private func change(
            _ store: Store, _ sync: Sync, _ group: SyncGroup, _ random: inout Randomness,
            _ meets: (inout Randomness) -> Bool
        ) async throws {
            var ledger = try SyncLedger(self.ledger)
            while true {
                if let action = try store.withSession({ try next($0, &random, ledger.count) }) {
                    try ledger.begin(action)
                    do {
                        if try store.withSession({ try perform(action, $0, group) }) { try ledger.end() }
                    } catch let error as SyncError {
                        // A kill can come before the store has entered the group; the next round completes that.
                        guard error.code == .notAuthorised else { throw error }
                        try await meet(sync)
                    }
                }
                if meets(&random) {
                    try await meet(sync)
                } else if random.chance(0.5) {
                    try await Task.sleep(for: .milliseconds(Int(random.logarithmic(15))))
                }
            }
        }

        /// A round, which has no problem, except that a service is killed or has no space: other processes that are killed
        /// leave nothing that another one notices.
        func meet(_ sync: Sync) async throws {
            let report = try await sync.meet()
            let problems = report.problems.filter { !place.permits($0.error) }
            try require(problems.isEmpty, "\(problems)")
            try require(report.lostObjects == 0, "a reset lost \(report.lostObjects) objects")
        }

        // MARK: Group

        private func code(_ device: Int) -> URL { URL(filePath: "\(folder)/code-\(device)") }

        /// Founds the group, or joins it.
        func enter(_ sync: Sync) async throws -> SyncGroup {
            while true {
                do { return try await enterOnce(sync) } catch let error as SyncError {
                    guard place.permits(error) else { throw error }
                }
                // Until the next attempt, so that the service can start again.
                try await Task.sleep(for: .milliseconds(5))
            }
        }

        private func enterOnce(_ sync: Sync) async throws -> SyncGroup {
            if isFounder {
                var group = try sync.groups.first
                if group == nil { group = try await sync.makeGroup("Group") }
                let entered = try found(group, "no group")
                for device in 1..<devices where access(code(device).path, F_OK) != 0 {
                    try Data(try await entered.invitation().utf8).write(to: code(device), options: .atomic)
                }
                return entered
            }
            while true {
                if let group = try sync.groups.first { return group }
                if device > 0, let code = try? String(contentsOf: code(device), encoding: .utf8) {
                    do { return try await sync.join(code) } catch let error as SyncError {
                        // The second process of the device may have joined meanwhile.
                        guard try !sync.groups.isEmpty else { throw error }
                    }
                }
                // Until the next attempt, so that the service can start again.
                try await Task.sleep(for: .milliseconds(5))
            }
        }

        // MARK: Work

        private func isMine(_ sheet: Folio) -> Bool { sheet.title.hasPrefix("\(name) ") }

        /// Chooses a change, whose texts and numbers contain the number of the change.
        private func next(_ session: Session, _ random: inout Randomness, _ number: Int) throws -> SyncAction? {
            let serial = number * 10 + process
            guard try Folio.count() > 0, !random.chance(0.2) else { return .insert(sheet: "\(name) \(serial)") }
            let sheets = try Folio.all()
            let sheet = sheets[random.below(sheets.count)]
            let title = sheet.title
            switch random.below(16) {
            case 0: return isMine(sheet) || random.chance(0.3) ? .delete(sheet: title) : nil
            case 1, 2: return .star(sheet: title, count: 1 + random.below(3))
            case 3, 4: return .word(sheet: title, "\(name) \(serial)")
            case 5: return .word(sheet: title, "removed \(name) \(serial)")
            case 6, 7:
                let words = sheet.words.filter { $0.hasPrefix("removed \(name) ") }.sorted()
                return words.isEmpty ? nil : .removeWord(sheet: title, words[random.below(words.count)])
            case 8, 9, 10: return .number(sheet: title, serial)
            case 11, 12: return isMine(sheet) ? .serial(sheet: title, serial) : nil
            case 13: return .text(sheet: title, "\(name) \(serial)")
            default: return .remark(sheet: title, "\(name) \(serial)")
            }
        }

        /// Changes the store in one transaction; false if the sheet was deleted meanwhile.
        private func perform(_ action: SyncAction, _ session: Session, _ group: SyncGroup) throws -> Bool {
            try session.transaction(retries: 1000) {
                if case .insert(let title) = action {
                    let sheet = Folio()
                    sheet.title = title
                    try sheet.save()
                    try group.add(sheet)
                    return true
                }
                guard let sheet = try Folio.findFirstBy.title(action.sheet) else { return false }
                switch action {
                case .insert: break
                case .delete:
                    try sheet.delete()
                    return true
                case .star(_, let count): sheet.stars += count
                case .word(_, let word): sheet.words.insert(word)
                case .removeWord(_, let word): sheet.words.remove(word)
                case .number(_, let number): sheet.numbers.insert(number, at: number % (sheet.numbers.count + 1))
                case .serial(_, let serial): sheet.serial = serial
                case .text(_, let text): sheet.text = text
                case .remark(_, let text):
                    let remark = Remark()
                    (remark.text, remark.sheet) = (text, sheet)
                    try remark.save()
                    return true
                }
                try sheet.save()
                return true
            }
        }
    }
#endif
