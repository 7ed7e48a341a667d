internal import StoreEngine
internal import Synchronization

// Calls: who may enter the session, and what is done when the outermost call has ended.
extension Session {
    /// Calls `body` as the only user of the session.
    ///
    /// - Parameters:
    ///   - function: What profiles of statements call it; an empty one has the name of the call around it.
    ///   - type: The class that the user has called.
    ///   - part: What stands between the class and the name.
    ///   - name: A name that is made when it is needed, instead of the function's.
    @inline(__always)
    package func enter<R>(
        _ function: StaticString = #function, of type: PersistentObject.Type? = nil, in part: StaticString = "",
        named name: @autoclosure () -> String? = nil, _ body: () throws -> R
    ) throws -> R {
        guard gate.enter() else {
            throw StoreError(
                .overlappingUse, "the session is in use on another thread; give each thread or task its own session")
        }
        if isSpecial.load(ordering: .relaxed) {
            try enterSpeciallyOrLeave(type.map { "\($0).\(function)" } ?? "\(function)")
            if let watch { watch.begin(function, of: type, in: part, named: name(), number) }
        }
        defer { leave() }
        guard !Examination.isUnderWay else {
            throw StoreError(.misuse, "an initialiser or getter uses the store while its class is being examined")
        }
        try ProcessCopy.check()
        calls.noteCall()
        do { return try body() } catch { throw told(error) }
    }

    /// Users get Swift's own error for a task that was cancelled, and the reason why a statement no longer fits its table.
    private func told(_ error: any Error) -> any Error {
        guard let error = error as? StoreError else { return error }
        switch error.code {
        case .cancelled: return CancellationError()
        // A kept statement that does not fit any more has the general code.
        case .invalidSQL, .sqlite:
            guard let name = error.className, let map = store.classes.preparedMaps.first(where: { $0.name == name })
            else { return error }
            return OlderClasses.error(map, error.message, connection) ?? error
        default: return error
        }
    }

    @inline(__always)
    private func leave() {
        if isSpecial.load(ordering: .relaxed) { leaveAsSpecial() } else { gate.leave() }
    }

    /// Tells what has run when the outermost call ends, and no lock is held.
    @inline(never)
    private func leaveAsSpecial() {
        let isLast = watch?.end() ?? false
        leaveSpecially()
        if !leaving.isEmpty, level == nil, gate.isOutermost {
            forgetLeaving()
            noteWhetherSpecial()
        }
        let changes = takeObservedChanges()
        gate.leave()
        changes?.tell(in: self)
        if isLast, let watch, !store.writers.isHeld(on: RunningThread.id) { watch.sink.tell() }
    }

    private func enterSpeciallyOrLeave(_ name: @autoclosure () -> String) throws {
        do { try enterSpecially(name()) } catch {
            leaveSpecially()
            gate.leave()
            throw error
        }
    }

    private func enterSpecially(_ name: @autoclosure () -> String) throws {
        try checkIsOpen()
        try limit?.check("before \(name()) has begun")
        guard let share, !hasTurn else { return }
        try share.enter(self)
        hasTurn = true
    }

    private func leaveSpecially() {
        guard gate.isOutermost else { return }
        // It was ended while the call was under way.
        if hasEnded { giveBackConnection() }
        guard hasTurn else { return }
        hasTurn = false
        share?.exit()
    }

    /// Sets a limit for all that is done from now on; nil for none.
    func setLimit(_ limit: TimeLimit?) {
        self.limit = limit
        connection.limits.limit = limit
        noteWhetherSpecial()
    }

    private func noteWhetherSpecial() {
        isSpecial.store(limit != nil || share != nil || watch != nil, ordering: .relaxed)
        // It may just have been ended elsewhere.
        if hasEnded { isSpecial.store(true, ordering: .relaxed) }
    }

    /// What observers are to be told of now that the outermost call ends; nil where it goes on, or there is nothing.
    private func takeObservedChanges() -> ObservedChanges? {
        guard !observedChanges.isEmpty, gate.isOutermost else { return nil }
        let changes = observedChanges
        observedChanges = ObservedChanges()
        noteWhetherSpecial()
        return changes
    }

    /// Calls `body`, which changes objects without a call of its own: observers are told when all of it is done.
    func gatheringChanges<R>(_ body: () throws -> R) rethrows -> R {
        guard gate.enter() else { return try body() }
        defer {
            let changes = takeObservedChanges()
            gate.leave()
            changes?.tell(in: self)
        }
        return try body()
    }

    /// Gives back memory of its connection, unless somebody is using it, or may be for another session.
    func releaseMemory() {
        guard share == nil, !isReader else { return }
        whileAlone { if hasConnection { connection.releaseMemory() } }
    }

    /// Calls `body` as the only user, also of one that has ended; nil where anybody is inside.
    func whileAlone<R>(_ body: () -> R) -> R? {
        guard gate.enterAlone() else { return nil }
        defer { gate.leave() }
        return body()
    }
}
