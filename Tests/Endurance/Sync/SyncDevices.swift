#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync

    /// What a group costs with more and more devices: the bytes of its folder, and the processor time of a change.
    struct SyncDevices {
        let count: Int
        private let scratch: Scratch

        init(count: Int) throws {
            self.count = count
            scratch = try Scratch()
        }

        func run(_ devices: [Int]) throws -> String {
            defer { scratch.remove() }
            var lines: [String] = []
            for devices in devices {
                let group = SyncDeviceGroup(folder: try scratch.folder("\(devices)"), devices: devices, count: count)
                let result = "\(group.folder)/result"
                try ChildProcess.run {
                    let text = try waitFor { try await group.run() }
                    try Data(text.utf8).write(to: URL(filePath: result))
                }
                lines.append(try String(contentsOfFile: result, encoding: .utf8))
            }
            return lines.joined(separator: "; ")
        }
    }

    private struct SyncDeviceGroup: Sendable {
        let folder: String
        let devices: Int
        let count: Int

        private func device(_ number: Int) throws -> (store: Store, sync: Sync) {
            let store = try Store("\(folder)/\(number).sqlite", configuration: .init(onNote: { _ in }))
            try store.prepare(SharedRow.self)
            let sync = try Sync(
                store, through: .folder(URL(filePath: "\(folder)/shared")), device: "\(number)",
                configuration: .init(stateFolder: URL(filePath: "\(folder)/keys-\(number)")))
            return (store, sync)
        }

        func run() async throws -> String {
            let devices = try (0..<self.devices).map { try device($0) }
            defer { for device in devices { device.store.close() } }
            let group = try await devices[0].sync.makeGroup("Group")
            for device in devices.dropFirst() { _ = try await device.sync.join(try await group.invitation()) }
            try await meet(devices)
            try devices[0].store.withSession { session in
                let rows = (0..<count).map { SharedRow($0) }
                for row in rows { try row.setSyncGroup(group) }
                try session.save(rows)
            }
            try await meet(devices)
            let before = try SyncForgetting.bytes(inFilesOf: "\(folder)/shared")
            let start = SyncSpeedProcess.seconds
            try devices[0].store.withSession { session in
                _ = try session.execute("UPDATE shared_row SET second = second + 1 WHERE id <= 100")
            }
            for device in devices { try await device.sync.meet() }
            let time = SyncSpeedProcess.seconds - start
            let after = try SyncForgetting.bytes(inFilesOf: "\(folder)/shared")
            let counts = try devices.map { try $0.store.withSession { _ in try SharedRow.count() } }
            try require(Set(counts) == [count], "the devices have \(counts) objects")
            return """
                \(self.devices) devices: \(before / count) bytes an object in the folder, 100 changed objects add \
                \(after - before) bytes and take \(Int(time / Double(self.devices) * 1000)) ms of each device
                """
        }

        private func meet(_ devices: [(store: Store, sync: Sync)]) async throws {
            for _ in 0..<3 {
                for device in devices {
                    let report = try await device.sync.meet()
                    try require(report.problems.isEmpty, "\(report.problems)")
                }
            }
        }
    }
#endif
