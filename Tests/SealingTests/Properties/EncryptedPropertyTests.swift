#if Encryption
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// Saving, reading and finding encrypted values.
    @Suite struct EncryptedPropertyTests {
        final class Patient: PersistentObject {
            var name = ""
            @Encrypted var diagnosis = ""
            @Encrypted(.searchable) var number: String?
        }

        final class Account: PersistentObject {
            override class var identity: Identity { .uuid }
            var name = ""
            @Unique @Encrypted(.searchable) var code = ""
            @Encrypted(padded: false) var note: String?
        }

        final class Visit: PersistentObject {
            var patient: Patient?
        }

        enum Grade: String, CaseIterable, Codable { case low, high }
        struct Address: Codable, Equatable { var street: String, floor: Int }

        final class Everything: PersistentObject {
            override class var tableName: String { "sealed_everything" }
            @Encrypted var bool = false
            @Encrypted var int = 0
            @Encrypted var int8: Int8 = 0
            @Encrypted var uint64: UInt64 = 0
            @Encrypted var double = 0.0
            @Encrypted var float: Float = 0
            @Encrypted var string = ""
            @Encrypted var url = URL(filePath: "/")
            @Encrypted var decimal: Decimal = 0
            @Encrypted var data = Data()
            @Encrypted var bytes: [UInt8] = []
            @Encrypted var uuid = UUID()
            @Encrypted var date = Date(timeIntervalSinceReferenceDate: 0)
            @Encrypted var grade = Grade.low
            @Encrypted var address = Address(street: "", floor: 0)
            @Encrypted var optionalInt: Int?
            @Encrypted var optionalString: String?
            @Encrypted var optionalDate: Date?
            @Encrypted var optionalData: Data?
            @Encrypted var optionalGrade: Grade?
            @Encrypted var optionalAddress: Address?
        }

        @Test func `values of every type are the same after they were stored`() throws {
            let file = try EncryptedFile()
            for seed in SeededGenerator.seeds(3) {
                var random = SeededGenerator(seed: seed)
                var made: [Everything] = []
                try file.session { session in
                    for _ in 0..<20 {
                        let object = Everything()
                        object.fill(&random)
                        made.append(object)
                    }
                    try session.save(made)
                }
                let ids = made.compactMap(\.id)
                try file.session { _ in
                    for (one, id) in zip(made, ids) {
                        let other = try #require(try Everything.find(id))
                        expect(other.values, one.values, "seed \(seed)")
                    }
                }
            }
            try expect(file.file.sqlite("SELECT count(*) FROM sealed_everything WHERE typeof(string) <> 'blob'"), "0")
        }

        @Test func `a property is loaded for all objects of a fetch, and saved when it changes`() throws {
            let file = try EncryptedFile()
            try file.session { _ in
                for index in 0..<5 {
                    let patient = Patient()
                    patient.name = "P\(index)"
                    patient.diagnosis = "D\(index)"
                    patient.number = index == 0 ? nil : "N\(index)"
                    try patient.save()
                    expect(patient.hasChanges, false)
                }
            }
            try file.session { _ in
                let all = try Patient.all().sorted { $0.name < $1.name }
                expect(all[0].$diagnosis.isLoaded, false)
                expect(all.map(\.diagnosis), (0..<5).map { "D\($0)" })
                expect(all.map(\.number), [nil, "N1", "N2", "N3", "N4"])
                all[1].diagnosis = "changed"
                expect(all[1].hasChanges, true)
                try all[1].save()
                all[2].diagnosis = "D2"
                expect(all[2].hasChanges, false)
                all[3].number = nil
                try all[3].save()
            }
            try file.session { _ in
                let all = try Patient.all().sorted { $0.name < $1.name }
                expect(all.map(\.diagnosis), ["D0", "changed", "D2", "D3", "D4"])
                expect(all[3].number, nil)
                try expect(Patient.where { $0.number == nil }.count(), 2)
            }
        }

        @Test func `searchable properties are compared for equality`() throws {
            let file = try EncryptedFile()
            try file.session { _ in
                for index in 0..<30 {
                    let patient = Patient()
                    patient.name = "\(index)"
                    patient.number = "N\(index % 10)"
                    try patient.save()
                }
                try expect(Patient.where { $0.number == "N3" }.count(), 3)
                try expect(Patient.where { $0.number != "N3" }.count(), 27)
                try expect(Patient.where { $0.number.isIn(["N1", "N2", "other"]) }.count(), 6)
                try expect(Patient.findBy.number("N4").count, 3)
                try expect(Patient.countBy.number("N4"), 3)
                try expect(Patient.where { $0.number == "N5" && $0.name == "5" }.single().name, "5")
                try expect(Patient.where { $0.number == "none" }.exists(), false)
                try expect(Patient.where { !($0.number == "N3") }.count(), 27)
                let visit = Visit()
                visit.patient = try Patient.findBy.number("N6").first
                try visit.save()
                try expect(Visit.where { $0.patient.number == "N6" }.all(), [visit])
                try expect(Visit.where { $0.patient.number == "N7" }.exists(), false)
                try expect(Visit.findByPatientNumber("N6"), [visit])
                let pairs = Patient.join(Visit.self) { $1.patient == $0 }
                try expect(pairs.where { patient, _ in patient.number == "N6" }.count(), 1)
                // Each of ten numbers has three objects.
                try expect(Patient.join(Patient.self) { $0.number == $1.number }.count(), 90)
            }
            let explain = TestEngine.isPostgres ? "SET enable_seqscan = off; EXPLAIN" : "EXPLAIN QUERY PLAN"
            let plan = try file.file.sqlite(
                "\(explain) SELECT * FROM patient WHERE substr(number, 2, 16) = \(EncryptedFile.literal("00"))")
            expect(plan.contains("patient.number.index"), true, "\(plan)")
        }

        @Test func `unique hashes refuse equal values, and upserts find them`() throws {
            let file = try EncryptedFile()
            try file.session { session in
                let first = Account()
                first.code = "A"
                first.note = "first"
                try first.save()
                let second = Account()
                second.code = "A"
                expect(EncryptedFile.code { try second.save() }, .notUnique)
                second.name = "upserted"
                let kept = try session.upsert(second, on: \.code)
                expect(kept === first, true)
                expect(first.name, "upserted")
                try expect(Account.count(), 1)
                try expect(Account.findBy.code("A").first?.id, first.id)
            }
        }

        @Test func `no file contains the values, and no description shows them`() throws {
            let secret = "Zirbeldrüsenentzündung"
            let file = try EncryptedFile()
            let profiles = Recorder<String>()
            var configuration = file.configuration()
            configuration.showsQueryArguments = true
            configuration.showsValuesInErrors = true
            configuration.onQuery = { profiles.add("\($0) \(String(describing: $0.arguments))") }
            let store = try file.file.open(configuration: configuration)
            try store.withSession { _ in
                let patient = Patient()
                patient.diagnosis = secret
                patient.number = secret
                try patient.save()
                expect("\(patient)".contains(secret), false)
                patient.diagnosis = secret + "!"
                expect("\(patient.changes)".contains(secret), false)
                try patient.save()
                try expect(Patient.findBy.number(secret).count, 1)
                try expect(Patient.where { $0.number.isIn([secret]) }.count(), 1)
            }
            expect(profiles.all.isEmpty, false)
            expect(profiles.all.filter { $0.contains(secret) }, [])
            try expect(file.files(containing: secret), [])
            if TestEngine.isPostgres { return store.close() }
            try store.backup(to: file.file.folder.appending(path: "copy.sqlite").path(percentEncoded: false))
            try expect(file.files(containing: secret), [])
            store.close()
            try expect(file.files(containing: secret), [])
        }

        @Test(.onPostgres("files can be encrypted"))
        func `a server refuses the encryption of files by name`() throws {
            let file = try EncryptedFile()
            let message = EncryptedFile.message {
                let store = try file.file.open(configuration: .init(encryption: .file(file.keys)))
                try store.prepare(Patient.self)
            }
            expect(message.contains("PostgreSQL cannot encrypt files"), true, "\(message)")
        }

        @Test func `an update of many rows, and inserts of many rows, encrypt each value`() throws {
            let file = try EncryptedFile()
            try file.session { session in
                let all = (0..<100).map { index in
                    let account = Account()
                    account.code = "C\(index)"
                    account.note = "N\(index)"
                    return account
                }
                try session.save(all)
                for (index, account) in all.enumerated() { account.note = "changed \(index)" }
                try session.save(all)
            }
            try file.session { _ in
                let all = try Account.all()
                expect(Set(all.map { $0.note ?? "" }), Set((0..<100).map { "changed \($0)" }))
                expect(Set(all.map(\.code)), Set((0..<100).map { "C\($0)" }))
            }
            try expect(file.file.sqlite("SELECT count(DISTINCT note) FROM account"), "100")
        }
    }

    extension EncryptedPropertyTests.Everything {
        fileprivate func fill(_ random: inout SeededGenerator) {
            bool = .random(using: &random)
            int = [.min, .max, 0, .random(in: -9...9, using: &random)].randomElement(using: &random) ?? 0
            int8 = .random(in: .min ... .max, using: &random)
            uint64 = .random(in: 0...UInt64(Int64.max), using: &random)
            double = [0, -0.0, .infinity, .random(in: -1e9...1e9, using: &random)].randomElement(using: &random) ?? 0
            float = .random(in: -9...9, using: &random)
            let letters = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                "aé🐟\u{0}z".randomElement(using: &random) ?? "a"
            }
            string = String(letters)
            url = URL(filePath: "/\(Int.random(in: 0...9, using: &random))")
            decimal = Decimal(Int.random(in: -999...999, using: &random)) / 8
            data = Data((0..<Int.random(in: 0...40, using: &random)).map { _ in .random(in: 0...255, using: &random) })
            bytes = Array(data.reversed())
            uuid = UUID()
            date = Date(timeIntervalSinceReferenceDate: .random(in: -1e9...1e9, using: &random))
            grade = .allCases.randomElement(using: &random) ?? .low
            address = .init(street: string.replacing("\u{0}", with: ""), floor: Int(int8))
            let isNil = Bool.random(using: &random)
            optionalInt = isNil ? nil : int
            optionalString = isNil ? nil : string
            optionalDate = isNil ? nil : date
            optionalData = isNil ? nil : data
            optionalGrade = isNil ? nil : grade
            optionalAddress = isNil ? nil : address
        }

        fileprivate var values: [String] {
            [
                "\(bool)", "\(int)", "\(int8)", "\(uint64)", "\(double)", "\(float)", string.debugDescription, "\(url)",
                "\(decimal)", "\(Array(data))", "\(bytes)", "\(uuid)", "\(date.timeIntervalSinceReferenceDate)",
                "\(grade)", "\(address)", "\(String(describing: optionalInt))", "\(String(describing: optionalString))",
                "\(String(describing: optionalDate?.timeIntervalSinceReferenceDate))",
                "\(String(describing: optionalData.map { Array($0) }))", "\(String(describing: optionalGrade))",
                "\(String(describing: optionalAddress))",
            ]
        }
    }
#endif
