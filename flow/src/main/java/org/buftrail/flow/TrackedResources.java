package org.buftrail.flow;

import org.buftrail.flow.woven.AddedResources;
import org.buftrail.model.TrackedResource;

/**
 * Where an application makes its {@link TrackedResource}s known in code, for instance from a class
 * loader that the agent does not know. Thread-safe.
 */
public final class TrackedResources {
  private TrackedResources() {}

  /** Follows objects of this type that are opened from now on. */
  public static void add(TrackedResource resource) {
    AddedResources.add(resource);
  }

  /**
   * Lets go of a resource that was added, for an application that is stopped while the JVM runs on:
   * it keeps the class loader of the resource alive. Objects of its type are no longer followed
   * unless they are under way.
   */
  public static void remove(TrackedResource resource) {
    AddedResources.remove(resource);
  }
}
