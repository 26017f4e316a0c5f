package org.buftrail.it.leaktests;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.HashedWheelTimer;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Pools, loops and timers that are made once and then work for all tests. */
final class OlderPools {
  static final ExecutorService FIXED = Executors.newFixedThreadPool(2, OlderPools::daemon);
  static final ExecutorService SINGLE = Executors.newSingleThreadExecutor(OlderPools::daemon);
  static final ExecutorService CACHED = Executors.newCachedThreadPool(OlderPools::daemon);
  static final ExecutorService STEALING = new ForkJoinPool(2);
  static final ScheduledExecutorService SCHEDULED =
      Executors.newScheduledThreadPool(1, OlderPools::daemon);
  static final EventLoopGroup LOOPS =
      new NioEventLoopGroup(2, new DefaultThreadFactory("older", /* daemon= */ true));
  static final EventExecutorGroup EXECUTORS =
      new DefaultEventExecutorGroup(2, new DefaultThreadFactory("older", /* daemon= */ true));
  static final HashedWheelTimer WHEEL =
      new HashedWheelTimer(new DefaultThreadFactory("older", /* daemon= */ true));
  static final Timer TIMER = new Timer(/* isDaemon= */ true);
  static final Executor OWN = new Own();

  private OlderPools() {}

  /** Ways to have a task run by another thread, and to wait until it was. */
  enum Kind {
    COMMON_POOL {
      @Override
      void start(Runnable task) {
        ForkJoinPool.commonPool().execute(task);
      }
    },
    SUPPLIED {
      @Override
      void start(Runnable task) {
        Future<?> unused = CompletableFuture.runAsync(task);
      }
    },
    CHAINED {
      @Override
      void start(Runnable task) {
        Future<?> unused = CompletableFuture.completedFuture(1).thenAcceptAsync(x -> task.run());
      }
    },
    DELAYED {
      @Override
      void start(Runnable task) {
        CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS).execute(task);
      }
    },
    PARALLEL {
      @Override
      void start(Runnable task) {
        IntStream.range(0, 16).parallel().filter(i -> i == 11).forEach(i -> task.run());
      }
    },
    SINGLE_THREAD {
      @Override
      void start(Runnable task) {
        SINGLE.execute(task);
      }
    },
    FIXED_POOL {
      @Override
      void start(Runnable task) {
        FIXED.execute(task);
      }
    },
    SUBMITTED {
      @Override
      void start(Runnable task) {
        Future<?> unused = FIXED.submit(task);
      }
    },
    CACHED_POOL {
      @Override
      void start(Runnable task) {
        Future<?> unused = CompletableFuture.runAsync(task, CACHED);
      }
    },
    STEALING_POOL {
      @Override
      void start(Runnable task) {
        Future<?> unused = STEALING.submit(task);
      }
    },
    CALLED {
      @Override
      void start(Runnable task) {
        Future<?> unused = STEALING.submit(Executors.callable(task));
      }
    },
    SCHEDULED_POOL {
      @Override
      void start(Runnable task) {
        Future<?> unused = SCHEDULED.schedule(task, 1, TimeUnit.MILLISECONDS);
      }
    },
    SCHEDULED_NOW {
      @Override
      void start(Runnable task) {
        SCHEDULED.execute(task);
      }
    },
    EVENT_LOOP {
      @Override
      void start(Runnable task) {
        LOOPS.execute(task);
      }
    },
    EVENT_LOOP_LATER {
      @Override
      void start(Runnable task) {
        Future<?> unused = LOOPS.schedule(task, 1, TimeUnit.MILLISECONDS);
      }
    },
    EVENT_EXECUTOR {
      @Override
      void start(Runnable task) {
        Future<?> unused = EXECUTORS.submit(task);
      }
    },
    GLOBAL_EXECUTOR {
      @Override
      void start(Runnable task) {
        GlobalEventExecutor.INSTANCE.execute(task);
      }
    },
    WHEEL_TIMER {
      @Override
      void start(Runnable task) {
        Object unused = WHEEL.newTimeout(timeout -> task.run(), 1, TimeUnit.MILLISECONDS);
      }
    },
    JDK_TIMER {
      @Override
      void start(Runnable task) {
        TIMER.schedule(
            new TimerTask() {
              @Override
              public void run() {
                task.run();
              }
            },
            1);
      }
    },
    OWN_EXECUTOR {
      @Override
      void start(Runnable task) {
        OWN.execute(task);
      }
    };

    abstract void start(Runnable task);

    /** Returns when the task has ended. */
    final void run(Runnable task) {
      CompletableFuture<?> done = new CompletableFuture<>();
      start(
          () -> {
            task.run();
            done.complete(null);
          });
      done.join();
    }
  }

  /** An executor as a library has it: a thread of its own, and a queue. */
  private static final class Own implements Executor {
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

    Own() {
      daemon(this::work).start();
    }

    private void work() {
      try {
        while (true) {
          tasks.take().run();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "older");
    thread.setDaemon(true);
    return thread;
  }
}
