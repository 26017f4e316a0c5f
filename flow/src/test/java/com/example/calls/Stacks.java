package com.example.calls;

/** Frames for a look at the stack to find. */
public final class Stacks {
  private Stacks() {}

  /** Taken for the application's. */
  public static final class Own {
    private Own() {}

    public static void handle(Runnable call) {
      call.run();
    }

    public static void other(Runnable call) {
      call.run();
    }

    /** Passed by each allocation. */
    public static final class CountingAllocator {
      private CountingAllocator() {}

      public static void count(Runnable call) {
        CountingAllocatorImpl.count(call);
      }
    }

    /** The same. */
    private static final class CountingAllocatorImpl {
      static void count(Runnable call) {
        call.run();
      }
    }

    /** A test of it. */
    public static final class CountingAllocatorTest {
      private CountingAllocatorTest() {}

      public static void counts(Runnable call) {
        CountingAllocator.count(call);
      }
    }
  }

  /** Between. */
  public static final class Library {
    private Library() {}

    public static void decode(Runnable call) {
      call.run();
    }

    /** As deep as that. */
    public static void deeper(int frames, Runnable call) {
      if (frames == 0) {
        call.run();
      } else {
        deeper(frames - 1, call);
      }
    }
  }
}
