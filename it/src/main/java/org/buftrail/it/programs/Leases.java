package org.buftrail.it.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.flow.TrackedResources;
import org.buftrail.model.TrackedResource;

/**
 * Takes leases of a size and gives them back; {@link Sized} describes them to the agent, or {@link
 * Broken}, which fails, or {@link Late}, in code.
 */
public final class Leases {
  private Leases() {}

  /** The leased thing; a lease of no size is not worth following. */
  public static final class Lease {
    private final int size;
    private boolean returned;

    private Lease(int size) {
      this.size = size;
    }

    static Lease take(int size) {
      return new Lease(size);
    }

    void giveBack() {
      returned = true;
    }
  }

  /** Describes leases. */
  public static class Sized implements TrackedResource {
    @Override
    public String name() {
      return "demo.Lease";
    }

    @Override
    public String type() {
      return Lease.class.getName();
    }

    @Override
    public List<String> open() {
      return List.of("take(int)");
    }

    @Override
    public List<String> close() {
      return List.of("giveBack");
    }

    @Override
    public boolean isMine(Object opened) {
      return ((Lease) opened).size > 0;
    }

    @Override
    public long bytes(Object open) {
      return ((Lease) open).size;
    }

    @Override
    public boolean isClosedOnce() {
      return true;
    }
  }

  /** Describes them badly. */
  public static final class Broken extends Sized {
    @Override
    public long bytes(Object open) {
      throw new IllegalStateException("no size today");
    }
  }

  /**
   * Runs the program.
   *
   * @param args {@code late} to describe leases in code; {@code service} to wait until the agent
   *     has found a service that does, a moment after the start
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> how = List.of(args);
    if (how.contains("late")) {
      TrackedResources.add(new Sized());
    }
    for (int i = 0; how.contains("service") && !isFollowed(); i++) {
      if (i == 1_000) {
        throw new IllegalStateException("no service was found");
      }
      Thread.sleep(100);
    }
    for (int i = 0; i < 4; i++) {
      use(Lease.take(i * 100));
    }
    Lease twice = Lease.take(7);
    twice.giveBack();
    twice.giveBack();
    Garbage leaked = new Garbage();
    leaked.add(Lease.take(1_000));
    leaked.awaitCollection();
  }

  private static boolean isFollowed() throws IOException {
    return Files.readString(Path.of("stderr.txt"))
        .contains("following resources of type demo.Lease\n");
  }

  private static void use(Lease lease) {
    if (lease.returned) {
      throw new IllegalStateException();
    }
    lease.giveBack();
  }
}
