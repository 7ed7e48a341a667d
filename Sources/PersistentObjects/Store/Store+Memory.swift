internal import StoreEngine

#if canImport(Darwin)
    internal import Dispatch
#endif

extension Store {
    /// Gives memory back that only makes the next queries faster: pages of the file and prepared statements, of
    /// connections that nobody uses at this moment.
    ///
    /// Objects stay. On Apple's systems it is called where the system asks for
    /// memory; elsewhere call it when a program has much else to do.
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
    /// Calls a closure where the system has little memory left, as long as it lives.
    final class MemoryPressure: @unchecked Sendable {  // whoever has it makes it and lets go of it, no more
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
