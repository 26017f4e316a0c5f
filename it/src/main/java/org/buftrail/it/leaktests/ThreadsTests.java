package org.buftrail.it.leaktests;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Threads of the test, of the class and of other tests. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
public class ThreadsTests {
  /** What a thread does for others: releases what it is given, or only looks. */
  private static final class Worker implements Runnable {
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

    @Override
    public void run() {
      try {
        while (true) {
          tasks.take().run();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    void call(Runnable task) {
      CompletableFuture<?> done = new CompletableFuture<>();
      tasks.add(
          () -> {
            task.run();
            done.complete(null);
          });
      done.join();
    }
  }

  private static Worker ofClass = new Worker();
  private static Worker ofOtherTest = new Worker();
  private static CountDownLatch otherTestBegan = new CountDownLatch(1);
  private static Thread classThread = new Thread();
  private static volatile Thread testThread = new Thread();

  @BeforeAll
  static void startOfClass() {
    ofClass = new Worker();
    ofOtherTest = new Worker();
    otherTestBegan = new CountDownLatch(1);
    classThread = new Thread(ofClass, "of the class");
    classThread.setDaemon(true);
    classThread.start();
  }

  @AfterAll
  static void stop() {
    classThread.interrupt();
    testThread.interrupt();
  }

  @Test
  @Order(1)
  void cleanStartsThreadForOthers() {
    testThread = new Thread(ofOtherTest, "of another test");
    testThread.setDaemon(true);
    testThread.start();
    otherTestBegan.countDown();
  }

  @Test
  @Order(2)
  void leakToOtherTestsThread() throws InterruptedException {
    otherTestBegan.await();
    ByteBuf buffer = Buffers.direct();
    ofOtherTest.call(() -> buffer.writeByte(1));
  }

  @Test
  @Order(2)
  void cleanToOtherTestsThread() throws InterruptedException {
    otherTestBegan.await();
    ByteBuf buffer = Buffers.direct();
    ofOtherTest.call(buffer::release);
  }

  @Test
  @Order(2)
  void leakToThreadOfClass() {
    ByteBuf buffer = Buffers.direct();
    ofClass.call(() -> buffer.writeByte(1));
  }

  @Test
  @Order(2)
  void cleanToThreadOfClass() {
    ByteBuf buffer = Buffers.direct();
    ofClass.call(buffer::release);
  }

  @Test
  @Order(2)
  void leakByOwnThread() throws InterruptedException {
    join(new Thread(Buffers::direct));
  }

  @Test
  @Order(2)
  void cleanByOwnThread() throws InterruptedException {
    join(new Thread(() -> Buffers.direct().release()));
  }

  private static void join(Thread thread) throws InterruptedException {
    thread.start();
    thread.join();
  }

  @Test
  @Order(2)
  void leakByOwnExecutor() {
    inExecutor(Executors.newFixedThreadPool(2), Buffers::direct);
  }

  @Test
  @Order(2)
  void cleanByOwnExecutor() {
    inExecutor(Executors.newFixedThreadPool(2), () -> Buffers.direct().release());
  }

  /** Platform threads on JVMs that have no others. */
  @Test
  @Order(2)
  void leakByVirtualThread() {
    inExecutor(virtualThreads(), Buffers::direct);
  }

  @Test
  @Order(2)
  void cleanByVirtualThread() {
    inExecutor(virtualThreads(), () -> Buffers.direct().release());
  }

  private static void inExecutor(ExecutorService executor, Runnable task) {
    CompletableFuture.runAsync(task, executor).join();
    executor.shutdown();
  }

  private static ExecutorService virtualThreads() {
    if (Runtime.version().feature() < 21) {
      return Executors.newCachedThreadPool();
    }
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
