import StoreEngine
import Testing

@Suite struct WriterQueueTests {
    @Test func `the second in line waits until its time is up`() {
        let queue = WriterQueue()
        #expect(queue.enter(timeout: 1000))
        #expect(!queue.enter(timeout: 20))
        queue.leave()
        #expect(queue.enter(timeout: 20))
    }
}
