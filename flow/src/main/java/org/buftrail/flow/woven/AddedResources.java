package org.buftrail.flow.woven;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.buftrail.model.TrackedResource;
import org.jspecify.annotations.Nullable;

/** Resources that an application has added in code; they wait here for an agent. Thread-safe. */
public final class AddedResources {
  private static final List<TrackedResource> WAITING = new ArrayList<>();
  private static @Nullable Consumer<TrackedResource> weaver;

  private AddedResources() {}

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

  public static void remove(TrackedResource resource) {
    synchronized (WAITING) {
      WAITING.remove(resource);
    }
    Resources.remove(resource);
  }

  /** Called by the agent with the weaver, which also takes the resources added before. */
  public static void setWeaver(Consumer<TrackedResource> weaver) {
    List<TrackedResource> waiting;
    synchronized (WAITING) {
      AddedResources.weaver = weaver;
      waiting = new ArrayList<>(WAITING);
      WAITING.clear();
    }
    waiting.forEach(weaver);
  }
}
