import Foundation
@_spi(Locks) import StoreEngine
import Synchronization
import TestSupport
import Testing

extension WriterQueue {
    private final class Owner: Sendable {}

    /// Enters the queue as if on a separate thread.
    fileprivate func enter(timeout milliseconds: Int32) -> Bool {
        let owner = Owner()
        // The owner lives as long as it has the turn, so the number is unique.
        let number = UInt(bitPattern: ObjectIdentifier(owner).hashValue)
        return switch enter(timeout: milliseconds, as: .init(thread: number, owner: owner)) {
        case .entered, .enteredLate: true
        default: false
        }
    }
}

@Suite struct WriterQueueTests {
    /// In milliseconds, for waits that must succeed. A busy machine may pause a thread that has the turn for seconds.
    private static let patience: Int32 = 600_000

    /// Starts a thread, and returns a semaphore that is signaled when the thread ends.
    private func start(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            end.signal()
        }
        return end
    }

    @Test func `the second writer waits until its timeout expires`() {
        let queue = WriterQueue()
        #expect(queue.enter(timeout: 1000))
        let start = ContinuousClock.now
        #expect(!queue.enter(timeout: 50))
        #expect(ContinuousClock.now - start >= .milliseconds(50))
        queue.leave()
        #expect(queue.enter(timeout: 0))
        queue.leave()
    }

    @Test func `with a timeout of zero or less, entering does not wait`() {
        let queue = WriterQueue()
        #expect(queue.enter(timeout: 0))
        #expect(!queue.enter(timeout: 0))
        #expect(!queue.enter(timeout: -5))
        queue.leave()
        #expect(queue.enter(timeout: -5))
        queue.leave()
    }

    @Test func `entering again on the thread that has the turn returns the owner immediately`() {
        final class Owner {}
        let queue = WriterQueue()
        let (first, second) = (Owner(), Owner())
        guard case .entered = queue.enter(timeout: 0, as: .init(thread: 1, owner: first)) else {
            Issue.record("nobody has the turn")
            return
        }
        let answer = queue.enter(timeout: .max, as: .init(thread: 1, owner: second))
        guard case .heldHere(let owner) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(owner === first && queue.waiterCount == 0)
        queue.leave()
        guard case .entered = queue.enter(timeout: 0, as: .init(thread: 1, owner: second)) else {
            Issue.record("the turn was given back")
            return
        }
    }

    @Test func `waiting writers get the turn in order of arrival`() {
        let queue = WriterQueue()
        let order = Recorder<Int>()
        #expect(queue.enter(timeout: 1000))
        var ends: [DispatchSemaphore] = []
        for number in 0..<10 {
            ends.append(
                start {
                    guard queue.enter(timeout: Self.patience) else { return }
                    order.add(number)
                    queue.leave()
                })
            // The next thread enters after this thread is waiting.
            while queue.waiterCount <= number { Thread.sleep(forTimeInterval: 0.001) }
        }
        #expect(order.all.isEmpty)
        queue.leave()
        for end in ends { end.wait() }
        expect(order.all, Array(0..<10))
    }

    @Test func `only one writer has the turn at a time, and each writer gets its turn`() {
        let queue = WriterQueue()
        let inside = Atomic<Int>(0)
        let most = Recorder<Int>()
        let failures = Recorder<Int>()
        let count = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            for _ in 0..<1000 {
                guard queue.enter(timeout: Self.patience) else {
                    failures.add(number)
                    continue
                }
                let now = inside.add(1, ordering: .sequentiallyConsistent).newValue
                if now != 1 { most.add(now) }
                count.withLock { $0 += 1 }
                inside.subtract(1, ordering: .sequentiallyConsistent)
                queue.leave()
            }
        }
        expect(most.all, [])
        expect(failures.all, [])
        expect(count.withLock { $0 }, 8000)
        #expect(queue.enter(timeout: 0))
    }

    @Test func `a writer that times out does not take the turn from writers after it`() {
        let queue = WriterQueue()
        #expect(queue.enter(timeout: 1000))
        let results = Recorder<String>()
        let impatient = start { results.add("impatient \(queue.enter(timeout: 50))") }
        Thread.sleep(forTimeInterval: 0.02)
        let patient = start {
            results.add("patient \(queue.enter(timeout: Self.patience))")
            queue.leave()
        }
        impatient.wait()
        queue.leave()
        patient.wait()
        expect(results.all, ["impatient false", "patient true"])
        #expect(queue.enter(timeout: 0))
    }

    // The turn may be released at the moment at which a waiter's timeout expires. Either the waiter gets the turn, or
    // the next writer does.
    @Test func `a turn released at the moment of a timeout is not lost`() {
        let queue = WriterQueue()
        let begin = DispatchSemaphore(value: 0)
        let isWaiting = Atomic<Bool>(false)
        let answers = Recorder<Bool>()
        let rounds = 300
        let end = start {
            for _ in 0..<rounds {
                begin.wait()
                isWaiting.store(true, ordering: .sequentiallyConsistent)
                let hasTurn = queue.enter(timeout: 1)
                answers.add(hasTurn)
                if hasTurn { queue.leave() }
            }
        }
        var random = SeededGenerator(seed: 9)
        var lost = 0
        for round in 1...rounds {
            guard queue.enter(timeout: Self.patience) else {
                lost = round
                break
            }
            begin.signal()
            while !isWaiting.load(ordering: .sequentiallyConsistent) { sched_yield() }
            let time = ContinuousClock.now + .microseconds(Int.random(in: 1000...1120, using: &random))
            while ContinuousClock.now < time {}
            queue.leave()
            isWaiting.store(false, ordering: .sequentiallyConsistent)
            while answers.all.count < round { sched_yield() }
        }
        expect(lost, 0, "the turn was lost in this round")
        if lost == 0 { end.wait() }
    }
}
