internal import CPostgres
internal import Foundation

// Notifications, which the server sends without being asked.
extension PostgresPipe {
    /// Waits until a notification or a byte of another descriptor arrives, or the time has passed.
    ///
    /// - Returns: False if the connection was lost.
    func waitForNotification(or waker: Int32, milliseconds: Int32) -> Bool {
        var ends = [
            pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0),
            pollfd(fd: waker, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&ends, 2, milliseconds) > 0, ends[0].revents != 0 else { return isOpen }
        guard PQconsumeInput(handle) == 1, isOpen else { return false }
        // Their number and contents do not matter.
        while let notification = PQnotifies(handle) { PQfreemem(UnsafeMutableRawPointer(notification)) }
        return isOpen
    }
}
