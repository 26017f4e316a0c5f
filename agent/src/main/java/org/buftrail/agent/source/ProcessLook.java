package org.buftrail.agent.source;

import java.io.IOException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.buftrail.model.ErrorText;
import org.buftrail.model.PoolMemory;
import org.buftrail.model.ProcessMemory;
import org.jspecify.annotations.Nullable;

/**
 * Looks at who shares the resident set of this process, no more often than needed: the kernel walks
 * all mappings for it. A failure is an answer too. Thread-safe.
 */
public final class ProcessLook {
  private final Look look;
  private final LongSupplier nanos;
  private @Nullable Answer latest;
  private long latestNanos;

  public interface Look {
    /**
     * Looks once.
     *
     * @param pools what allocators keep; null where nobody says
     * @throws IOException saying in one line why it cannot be looked at
     */
    ProcessMemory at(@Nullable PoolMemory pools) throws IOException;
  }

  /** What a look found. Immutable. */
  public static final class Answer {
    private final @Nullable ProcessMemory memory;
    private final String reason;
    private final long atMillis;

    private Answer(@Nullable ProcessMemory memory, String reason) {
      this.memory = memory;
      this.reason = reason;
      this.atMillis = System.currentTimeMillis();
    }

    /** Who shares the resident set; null where that is not known. */
    public @Nullable ProcessMemory memory() {
      return memory;
    }

    /** Why it is not known, in one line; empty where it is. */
    public String reason() {
      return reason;
    }

    /** When it was looked at, in milliseconds since the epoch. */
    public long atMillis() {
      return atMillis;
    }
  }

  /**
   * Nobody has looked yet.
   *
   * @param nanos a clock that never goes back
   */
  public ProcessLook(Look look, LongSupplier nanos) {
    this.look = look;
    this.nanos = nanos;
  }

  /**
   * What was found at most so many milliseconds ago, or is found now.
   *
   * @param pools asks what allocators keep
   */
  synchronized Answer answer(long maxAgeMillis, Supplier<@Nullable PoolMemory> pools) {
    Answer answer = latest;
    long now = nanos.getAsLong();
    if (answer == null || now - latestNanos > maxAgeMillis * 1_000_000) {
      answer = look(pools);
      latest = answer;
      latestNanos = now;
    }
    return answer;
  }

  private Answer look(Supplier<@Nullable PoolMemory> pools) {
    try {
      return new Answer(look.at(pools.get()), "");
    } catch (IOException e) {
      return new Answer(null, String.valueOf(e.getMessage()));
    } catch (RuntimeException | LinkageError e) {
      return new Answer(null, ErrorText.of(e));
    }
  }
}
