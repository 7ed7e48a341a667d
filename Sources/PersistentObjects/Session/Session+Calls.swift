internal import StoreEngine
internal import Synchronization

// Calls: entering the session, and the work done when the outermost call has ended.
extension Session {
    /// Calls `body` as the only user of the session.
    ///
    /// - Parameters:
    ///   - function: The name in profiles of statements; if empty, the name of the enclosing call.
    ///   - type: The class that the user has called.
    ///   - part: The text between the class and the name.
    ///   - name: A name that is created on demand, instead of the function's.
    @inline(__always)
    package func enter<R>(
        _ function: StaticString = #function, of type: PersistentObject.Type? = nil, in part: StaticString = "",
        named name: @autoclosure () -> String? = nil, _ body: () throws -> R
    ) throws -> R {
        guard gate.enter() else {
            throw StoreError(
                .overlappingUse, "The session is in use on another thread. Give each thread or task its own session")
        }
        if gate.isSpecial {
            try enterSpeciallyOrLeave(type.map { "\($0).\(function)" } ?? "\(function)")
            if let watch = gate.watch { watch.begin(function, of: type, in: part, named: name(), number) }
        }
        defer { leave() }
        guard !Examination.isUnderWay else {
            throw StoreError(.misuse, "An initializer or getter uses the store while its class is being examined")
        }
        try ProcessCopy.check()
        gate.countCall()
        do { return try body() } catch { throw publicError(error) }
    }

    /// The error that users get: `CancellationError` for a cancelled task, and the reason that a statement no longer
    /// fits its table.
    private func publicError(_ error: any Error) -> any Error {
        guard let error = error as? StoreError else { return error }
        switch error.code {
        case .cancelled: return CancellationError()
        // A cached statement that no longer fits its table fails with a general code.
        case .invalidSQL, .sqlite:
            guard let name = error.className, let map = store.classes.preparedMaps.first(where: { $0.name == name })
            else { return error }
            return OlderClasses.error(map, error.message, connection) ?? error
        default: return error
        }
    }

    @inline(__always)
    private func leave() {
        if gate.isSpecial { leaveAsSpecial() } else { gate.leave() }
    }

    /// Reports statements and changes when the outermost call has ended, while no lock is held.
    @inline(never)
    private func leaveAsSpecial() {
        let watch = gate.watch
        let isLast = watch?.end() ?? false
        leaveSpecially()
        if memory.isEvicting, level == nil, gate.isOutermost {
            memory.forgetEvicted()
            gate.updateSpecial()
        }
        let changes = news.takeObservedChanges()
        gate.leave()
        changes?.report(in: self)
        if isLast, let watch, !store.writers.isHeld(on: RunningThread.id) { watch.sink.deliver() }
    }

    private func enterSpeciallyOrLeave(_ name: @autoclosure () -> String) throws {
        do { try gate.enterSpecially(name()) } catch {
            leaveSpecially()
            gate.leave()
            throw error
        }
    }

    private func leaveSpecially() {
        guard gate.isOutermost else { return }
        // The session ended during the call.
        if gate.hasEnded { giveBackConnection() }
        gate.endTurn()
    }

    /// Calls `body`, which changes objects outside a call of the session, and notifies observers when it has returned.
    func gatheringChanges<R>(_ body: () throws -> R) rethrows -> R {
        guard gate.enter() else { return try body() }
        defer {
            let changes = news.takeObservedChanges()
            gate.leave()
            changes?.report(in: self)
        }
        return try body()
    }

    /// Counts a call, and releases the objects of links that were not read for a while.
    @inline(__always)
    func countCall() { if memory.inverses.held.countCall() { releaseUnusedLinks() } }

    private func releaseUnusedLinks() {
        // A transaction may have to restore the current state.
        guard level == nil, !writing.isWriting, !writing.isSaving, !memory.inverses.held.isPaused else { return }
        memory.releaseUnusedLinks { try writing.saving($0) }
    }

    /// Called by identity maps after the value of a property changed.
    func didChange(_ ordinal: Int, of object: PersistentObject, _ map: ClassMap) {
        news.recordChange(ordinal, of: object, map)
    }

    /// Whether the row of an object was read after all objects became stale.
    func isCurrent(_ object: PersistentObject) -> Bool { memory.isCurrent(object) }

    /// The number of times that this session has noticed changes of the database by other sessions.
    var epoch: UInt32 { memory.epoch }

    /// Called by identity maps if a deleted object retains objects in its links.
    func didDelete(_ owner: PersistentObject, keepingLinks map: ClassMap) {
        memory.inverses.held.addDeparted(owner, map)
    }

    /// The unsaved edits of deallocated objects, which identity maps add.
    var pendingEdits: PendingEdits { memory.pendingEdits }
}
