package com.example.woven;

import org.buftrail.agent.weave.Ledger;

/** A resource, and what opens and closes it: each place where a rule may name it. */
public final class Leases {
  private Leases() {}

  /** The resource. */
  public static class Lease {
    /** By a constructor that the rule names. */
    public Lease(long number, String holder) {
      Ledger.told("constructs");
    }

    /** By one that it does not name. */
    public Lease() {}

    /** Opens what is there. */
    public int begin(long at) {
      Ledger.told("begins");
      return at > 0 ? 1 : 0;
    }

    /** Closes it. */
    public void close() {
      Ledger.told("closes");
    }

    /** As well. */
    public void close(boolean now) {}

    /** And one that is static. */
    public static void close(int code, Lease lease) {}
  }

  /** One of a type below. */
  public static final class Sublease extends Lease {}

  /** Seen by nobody outside: what is public in it is bridged below. */
  static class Held {
    /** Closes it. */
    public void close() {
      Ledger.told("closes");
    }
  }

  /** Inherits what closes it, by a bridge. */
  public static final class Holding extends Held {
    /** Opens it. */
    public Holding() {}
  }

  /** Opens and closes what is closed by a bridge. */
  public static Object hold() {
    Holding holding = new Holding();
    holding.close();
    return holding;
  }

  /** Closes by itself what implements it. */
  interface Closing {
    /** Closes it. */
    default void close() {
      Ledger.told("closes");
    }
  }

  /** Another way to the same lease. */
  interface Ending extends Closing {
    /** Nobody's close. */
    static void close(Ending ended) {}
  }

  /** Inherits what closes it from an interface far above. */
  public static class Ended implements Ending {
    /** Opens it. */
    public Ended() {}
  }

  /** Declares what its interface would have closed it by. */
  public static final class Closed extends Ended {
    @Override
    public void close() {}
  }

  /** Nearer than the one that it stands for. */
  interface ClosingNearer extends Closing {
    @Override
    default void close() {
      Ledger.told("closes nearer");
    }
  }

  /** As near as {@link Ending}, and leads to the one that counts. */
  interface EndingNearer extends ClosingNearer {}

  /** Inherits what closes it from the nearer of two. */
  public static final class EndedTwice implements Ending, EndingNearer {
    /** Opens it. */
    public EndedTwice() {}
  }

  /** Opens and closes by the nearer of two. */
  public static Object endNearer() {
    EndedTwice ended = new EndedTwice();
    ended.close();
    return ended;
  }

  /** Opens and closes by what interfaces declare, and by what they do not. */
  public static Object end() {
    new Closed().close();
    Ended ended = new Ended();
    ended.close();
    return ended;
  }

  /** Says that it can be closed, and not how. */
  public interface Shut {
    /** Closes it. */
    void close();
  }

  /** Closes what is none. */
  static class Door {
    /** Closes it. */
    public void close() {}
  }

  /** Is closed as any door. */
  public static final class Gate extends Door implements Shut {}

  /** Gives several leases, and takes them back. */
  public abstract static class Pool<T> {
    /** Opens the lease that it returns. */
    public Lease take(long size) {
      Ledger.told("takes");
      return size == 0 ? new Lease() : new Sublease();
    }

    /** One that opens nothing, and is static. */
    public static void take(String name) {}

    /** One that returns what the class file does not say. */
    public abstract T take();

    /** Closes the lease that comes after others. */
    public void give(long size, double weight, Sublease lease) {
      Ledger.told("gives");
    }

    /** Closes the first of two. */
    public static void give(int[] some, long size, Lease lease, Lease other) {}

    /** Closes none, since nothing says that it is one. */
    public void give(Object lease) {}
  }

  /** Has a bridge beside the method that it declares. */
  public static final class LeasePool extends Pool<Lease> {
    @Override
    public Lease take() {
      return new Lease();
    }
  }

  /** Named as the members of the rule, and something else. */
  public static final class Unlike {
    /** Opens nothing. */
    public int begin(long at) {
      return 0;
    }

    /** Closes nothing. */
    public void close() {}
  }

  /** Opens by constructors. */
  public static Object construct() {
    new Lease();
    new Sublease();
    return new Lease(1L << 40, "a");
  }

  /** Opens by a method of the resource. */
  public static Object begin() {
    Lease lease = new Lease();
    lease.begin(2);
    return lease;
  }

  /** Opens by methods of another class. */
  public static Object take() {
    Pool.take("");
    LeasePool pool = new LeasePool();
    pool.take(0);
    pool.take(1);
    Pool<?> bridged = pool;
    return bridged.take();
  }

  /** Closes by methods of the resource, and one of a type below. */
  public static Object close() {
    new Sublease().close();
    Lease lease = new Lease();
    lease.close(true);
    Lease.close(1, lease);
    return lease;
  }

  /** Closes by methods of another class. */
  public static Object give() {
    Sublease first = new Sublease();
    new LeasePool().give(1, 2, first);
    new LeasePool().give(new Lease());
    Lease second = new Lease();
    Pool.give(new int[0], 1, second, first);
    return second;
  }

  /** Opens and closes nothing. */
  public static Object others() {
    Unlike unlike = new Unlike();
    unlike.begin(1);
    unlike.close();
    return unlike;
  }
}
