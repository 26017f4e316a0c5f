package org.buftrail.it.programs;

import java.lang.annotation.Annotation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.AnnotationElement;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.ValueDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Serves requests in contexts that nest, on plain and on virtual threads, over several chunks of a
 * recording. Needs Java 25. Argument: the recording's name.
 */
public final class Requests {
  /** How often each thread makes a step. */
  public static final int STEPS = 6 * Requests.ROUNDS;

  /** How many threads of each kind there are. */
  public static final int THREADS = 2;

  private static final int ROUNDS = 6;

  private static final EventFactory SCOPE =
      type("io.opentelemetry.context.Scope", List.of("traceId", "spanId"));
  private static final EventFactory ORDER = type("shop.Order", List.of("tenant", "id"));

  private static final AtomicReference<Object> LAST = new AtomicReference<>();

  @Name("shop.Step")
  @StackTrace(false)
  static final class Step extends Event {
    long number;
  }

  private Requests() {}

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    try (Recording recording = new Recording()) {
      recording.enable("jdk.CPUTimeSample").with("throttle", "10 ms");
      recording.enable("jdk.ThreadPark").withThreshold(Duration.ZERO);
      recording.enable("jdk.ObjectAllocationSample").with("throttle", "1000/s");
      recording.start();
      CyclicBarrier inside = new CyclicBarrier(2 * THREADS + 1);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int number = i;
        Thread plain = new Thread(() -> serve(2 * number, inside));
        plain.start();
        threads.add(plain);
        Runnable task = () -> serve(2 * number + 1, inside);
        threads.add(
            (Thread)
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task));
      }
      for (int round = 0; round < ROUNDS; round++) {
        inside.await();
        // A recording that begins makes the others begin a chunk.
        try (Recording other = new Recording()) {
          other.start();
        }
        inside.await();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      recording.stop();
      recording.dump(Path.of(args[0]));
    }
  }

  private static void serve(int thread, CyclicBarrier inside) {
    try {
      for (int round = 0; round < ROUNDS; round++) {
        int number = 100 * thread + 10 * round;
        step(number);
        Event request = begin(SCOPE, id(32, number + 1), id(16, number + 1));
        step(number + 1);
        Event order = begin(ORDER, round % 3 == 2 ? null : "tenant-" + round, (long) number);
        step(number + 2);
        inside.await();
        inside.await();
        Event inner = begin(SCOPE, id(32, number + 1), id(16, number + 2));
        Event nested = begin(ORDER, round % 2 == 0 ? null : "", -1L);
        step(number + 3);
        work();
        end(inner);
        step(number + 4);
        end(nested);
        work();
        step(number + 5);
        end(order);
        end(request);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static String id(int digits, int number) {
    return String.format("%0" + digits + "x", number);
  }

  private static void step(long number) {
    pause();
    Step step = new Step();
    step.number = number;
    step.commit();
    pause();
  }

  /** Long enough that clocks agree on what comes first. */
  private static void pause() {
    for (long from = System.nanoTime(); System.nanoTime() - from < 50_000; ) {
      Thread.onSpinWait();
    }
  }

  private static void work() {
    for (int i = 0; i < 2_000; i++) {
      LAST.set(new byte[1_000 + i]);
    }
    LockSupport.parkNanos(1_000_000);
  }

  private static Event begin(EventFactory type, @Nullable Object first, Object second) {
    pause();
    Event event = type.newEvent();
    event.set(0, first);
    event.set(1, second);
    event.begin();
    pause();
    return event;
  }

  private static void end(Event event) {
    pause();
    event.commit();
    pause();
  }

  /** An event type whose fields are contexts of other events: texts, but for {@code id}. */
  private static EventFactory type(String name, List<String> fields) {
    try {
      Class<? extends Annotation> contextual =
          Class.forName("jdk.jfr.Contextual").asSubclass(Annotation.class);
      List<ValueDescriptor> descriptors = new ArrayList<>();
      for (String field : fields) {
        Class<?> type = field.equals("id") ? long.class : String.class;
        descriptors.add(
            new ValueDescriptor(type, field, List.of(new AnnotationElement(contextual, Map.of()))));
      }
      return EventFactory.create(
          List.of(
              new AnnotationElement(Name.class, name),
              new AnnotationElement(StackTrace.class, false)),
          descriptors);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("needs Java 25", e);
    }
  }
}
