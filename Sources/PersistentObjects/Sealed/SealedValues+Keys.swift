@_spi(Locks) internal import StoreEngine

#if Encryption
    // The keys that the file knows.
    extension SealedValues {
        private struct FileKey {
            let number: UInt32
            let fingerprint: DatabaseValue
            let isIndex: Bool
        }

        private func fileKeys(_ connection: any Connection) throws(StoreError) -> [FileKey] {
            let statement = try connection.statement(
                "SELECT number, fingerprint, is_index FROM \(name: SealNames.keys)")
            defer { statement.finish() }
            statement.beginBinding()
            var keys: [FileKey] = []
            while try statement.step() {
                let fingerprint: DatabaseValue
                do throws(ValueFault) { fingerprint = try statement.column(1).value() } catch { throw .value(error) }
                keys.append(
                    FileKey(
                        number: UInt32(truncatingIfNeeded: statement.integer(0)), fingerprint: fingerprint,
                        isIndex: statement.integer(2) != 0))
            }
            return keys
        }

        /// Prepares writing in the open transaction: the file must know the current key.
        ///
        /// - Parameter hashes: Whether the values have hashes.
        func prepareToWrite(_ connection: any Connection, hashes: Bool) throws(StoreError) {
            let number = keys.currentKey
            let known = try fileKeys(connection)
            let index = known.first(where: \.isIndex)
            if let own = known.first(where: { $0.number == number }) {
                try check(own)
            } else {
                let fingerprint = try currentFingerprint(number)
                // Another session may add the same key at the same time.
                let insert = try connection.statement(
                    """
                    INSERT INTO \(name: SealNames.keys) VALUES (?, ?, ?)\
                    \(connection.dialect.upsert(["number"], []))
                    """)
                defer { insert.finish() }
                insert.beginBinding()
                do throws(ValueFault) {
                    try insert.bind(Int64(number), at: 1)
                    try insert.bind(.blob(fingerprint), at: 2)
                    try insert.bind(Int64(index == nil ? 1 : 0), at: 3)
                } catch { throw .value(error) }
                try insert.run()
            }
            if hashes, let index { try check(index) }
            state.withLock {
                $0.current = number
                // The transaction may be rolled back.
                $0.indexMark = nil
                if hashes || index == nil {
                    ($0.index, $0.indexProblem) = (index?.number ?? number, nil)
                    $0.currentIndex = $0.index
                }
            }
        }

        /// Prepares a condition that compares hashes.
        func prepareToCompare(_ connection: any Connection) throws(StoreError) {
            // Another process may have changed the key, or the open transaction, whose commit follows.
            let mark = connection.isInTransaction ? nil : connection.commitMark
            if let mark, state.withLock({ $0.indexMark == mark }) { return }
            let index = try fileKeys(connection).first(where: \.isIndex)
            // Before the first write the file has no hashes, so those of every key find nothing.
            let number = index?.number ?? keys.currentKey
            var problem: StoreError?
            do throws(StoreError) {
                if let index { try check(index) } else { _ = try currentFingerprint(number) }
            } catch { problem = error }
            state.withLock {
                ($0.index, $0.indexProblem) = (number, problem)
                // The keyring may get the key.
                $0.indexMark = problem == nil ? mark : nil
            }
            if let problem { throw problem }
        }

        /// Throws if the keyring lacks a key of the file, or has another key of this number.
        private func check(_ known: FileKey) throws(StoreError) {
            guard let fingerprint = fingerprint(known.number) else { throw SealedValues.locked(known.number) }
            guard known.fingerprint == .blob(fingerprint) else { throw SealedValues.wrongKey(known.number) }
        }

        /// The fingerprint of the current key, which the file need not know.
        private func currentFingerprint(_ number: UInt32) throws(StoreError) -> [UInt8] {
            guard let fingerprint = fingerprint(number) else {
                throw StoreError(.locked, "The keyring has no key \(number), which is its current key")
            }
            return fingerprint
        }

        private static func locked(_ number: UInt32) -> StoreError {
            StoreError(
                .locked,
                "The value is encrypted with key \(number), which the keyring does not have. Open the store with the "
                    + "keyring that has the key")
        }

        private static func wrongKey(_ number: UInt32) -> StoreError {
            StoreError(
                .wrongKey,
                "The keyring has another key \(number) than the file. Open the store with the keyring of the file")
        }

        /// Decrypts a stored value of a property.
        ///
        /// - Parameter key: The key of the row's object; NULL in classes without keys.
        func value(
            _ stored: DatabaseValue, _ context: String, key: DatabaseValue, _ connection: any Connection
        ) throws(StoreError) -> DatabaseValue {
            do throws(Fault) { return try open(stored, context.utf8, key: key) } catch {
                throw try self.error(error, connection)
            }
        }

        /// Decrypts a value that another store may have encrypted, so that this file need not know its key.
        func imported(
            _ stored: DatabaseValue, _ context: String, key: DatabaseValue
        ) throws(StoreError) -> DatabaseValue {
            do throws(Fault) { return try open(stored, context.utf8, key: key) } catch {
                switch error {
                case .noKey(let number): throw SealedValues.locked(number)
                case .malformed: throw StoreError(.damaged, "The value is not an encrypted value")
                case .rejected(let number):
                    throw StoreError(
                        .damaged,
                        "The value was changed, was encrypted with another key \(number) than the keyring's, or belongs to "
                            + "another class, property or object")
                }
            }
        }

        private func error(_ fault: Fault, _ connection: any Connection) throws(StoreError) -> StoreError {
            let changed = StoreError(
                .damaged,
                "The encrypted bytes of the value were changed. Assign a new value, or restore the row from a backup")
            switch fault {
            case .malformed: return changed
            case .noKey(let number):
                // Another device can have written the value with a key that only its keyring has.
                let isSynced = try connection.schema.definition(of: CaptureNames.tables) != nil
                let isKnown = try fileKeys(connection).contains { $0.number == number }
                return isKnown || isSynced ? SealedValues.locked(number) : changed
            case .rejected(let number):
                guard let known = try fileKeys(connection).first(where: { $0.number == number }) else { return changed }
                do throws(StoreError) { try check(known) } catch { return error }
                return changed
            }
        }

        /// The number of the key that makes the file's hashes; nil if the file has no key yet.
        func indexKey(_ connection: any Connection) throws(StoreError) -> UInt32? {
            try fileKeys(connection).first(where: \.isIndex)?.number
        }

    }
#else
    // Without the trait there is no keyring, so these are never called.
    extension SealedValues {
        private var unavailable: StoreError {
            StoreError(.unsupported, "This program was built without the package trait Encryption")
        }

        func prepareToWrite(_ connection: any Connection, hashes: Bool) throws(StoreError) { throw unavailable }
        func prepareToCompare(_ connection: any Connection) throws(StoreError) { throw unavailable }
        func value(
            _ stored: DatabaseValue, _ context: String, key: DatabaseValue, _ connection: any Connection
        ) throws(StoreError) -> DatabaseValue { throw unavailable }
        func sealed(
            _ value: DatabaseValue, _ sealing: PropertySealing, key: DatabaseValue
        ) throws -> DatabaseValue { throw unavailable }
        func imported(
            _ stored: DatabaseValue, _ context: String, key: DatabaseValue
        ) throws(StoreError) -> DatabaseValue { throw unavailable }
        func indexKey(_ connection: any Connection) throws(StoreError) -> UInt32? { nil }
    }
#endif
