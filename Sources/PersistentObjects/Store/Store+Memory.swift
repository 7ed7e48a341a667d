internal import StoreEngine

#if canImport(Darwin)
    internal import Dispatch
#endif

extension Store {
    /// Releases memory that only makes the next queries faster.
    ///
    /// This is the memory for cached pages of the file and prepared statements of idle connections. Objects stay in
    /// memory. On Apple platforms it is called when the system signals memory pressure; elsewhere, call it when the
    /// program needs memory for other work.
    ///
    /// ```swift
    /// store.releaseMemory()
    /// ```
    public func releaseMemory() {
        releaseIdleMemory()
        dependent.releaseMemory()
    }
}

#if canImport(Darwin)
    /// Calls a closure when the system has little memory left, until it is released.
    final class MemoryPressure: @unchecked Sendable {  // only created and released
        private let source: any DispatchSourceMemoryPressure

        init(_ release: @escaping @Sendable () -> Void) {
            source = DispatchSource.makeMemoryPressureSource(
                eventMask: [.warning, .critical], queue: .global(qos: .utility))
            source.setEventHandler { release() }
            source.activate()
        }

        deinit { source.cancel() }
    }
#endif
