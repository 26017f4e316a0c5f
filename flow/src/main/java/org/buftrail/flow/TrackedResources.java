package org.buftrail.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.buftrail.flow.woven.Resources;
import org.buftrail.model.TrackedResource;
import org.jspecify.annotations.Nullable;

/**
 * Where an application makes its {@link TrackedResource}s known in code, for instance from a class
 * loader that the agent does not know. Thread-safe.
 */
public final class TrackedResources {
  private static final List<TrackedResource> WAITING = new ArrayList<>();
  private static @Nullable Consumer<TrackedResource> weaver;

  private TrackedResources() {}

  /** Follows objects of this type that are opened from now on. */
  public static void add(TrackedResource resource) {
    Consumer<TrackedResource> now;
    synchronized (WAITING) {
      now = weaver;
      if (now == null) {
        WAITING.add(resource);
      }
    }
    if (now != null) {
      now.accept(resource);
    }
  }

  /**
   * Lets go of a resource that was added, for an application that is stopped while the JVM runs on:
   * it keeps the class loader of the resource alive. Objects of its type are no longer followed
   * unless they are under way.
   */
  public static void remove(TrackedResource resource) {
    synchronized (WAITING) {
      WAITING.remove(resource);
    }
    Resources.remove(resource);
  }

  /** Called by the agent: who weaves, for those that are there already too. */
  public static void setWeaver(Consumer<TrackedResource> weaver) {
    List<TrackedResource> waiting;
    synchronized (WAITING) {
      TrackedResources.weaver = weaver;
      waiting = new ArrayList<>(WAITING);
      WAITING.clear();
    }
    waiting.forEach(weaver);
  }
}
