package org.buftrail.agent.weave;

import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.agent.weave.resources.ResourceRule;
import org.buftrail.agent.weave.selection.ApplicationClasses;
import org.buftrail.agent.weave.selection.ClassPattern;
import org.jspecify.annotations.Nullable;

/** Which classes of the application are woven. */
public final class Selection {
  private final ClassPattern include;

  /** Decides in place of {@link #include} where nothing was named. */
  private final @Nullable ApplicationClasses application;

  private final ClassPattern exclude;
  private final ClassPattern constructors;
  private final List<ResourceRule> resources;
  private final boolean directBuffers;
  private final boolean callLines;

  /**
   * @param include classes whose methods and calls are hops
   * @param exclude taken out of {@code include} and {@code constructors}
   * @param constructors classes whose constructors are hops
   * @param resources what is followed beside buffers
   */
  public Selection(
      ClassPattern include,
      ClassPattern exclude,
      ClassPattern constructors,
      List<ResourceRule> resources) {
    this(include, null, exclude, constructors, resources, false, true);
  }

  /** Selects the application's own classes, when no option names classes. */
  public Selection(
      ApplicationClasses application,
      ClassPattern exclude,
      ClassPattern constructors,
      List<ResourceRule> resources) {
    this(ClassPattern.NONE, application, exclude, constructors, resources, false, true);
  }

  private Selection(
      ClassPattern include,
      @Nullable ApplicationClasses application,
      ClassPattern exclude,
      ClassPattern constructors,
      List<ResourceRule> resources,
      boolean directBuffers,
      boolean callLines) {
    this.include = include;
    this.application = application;
    this.exclude = exclude;
    this.constructors = constructors;
    this.resources = List.copyOf(resources);
    this.directBuffers = directBuffers;
    this.callLines = callLines;
  }

  /** Returns this selection with one more type of resource. */
  public Selection with(ResourceRule resource) {
    List<ResourceRule> more = new ArrayList<>(resources);
    more.add(resource);
    return new Selection(
        include, application, exclude, constructors, more, directBuffers, callLines);
  }

  /** Returns this selection with or without calls that allocate the JDK's direct buffers. */
  public Selection withDirectBuffers(boolean wanted) {
    return new Selection(include, application, exclude, constructors, resources, wanted, callLines);
  }

  /** Whether calls that allocate the JDK's direct buffers are woven. */
  boolean directBuffers() {
    return directBuffers;
  }

  /** Returns this selection with or without lines that release, retain or pass on as hops. */
  public Selection withCallLines(boolean wanted) {
    return new Selection(
        include, application, exclude, constructors, resources, directBuffers, wanted);
  }

  /** Whether lines that release, retain or pass on are hops. */
  boolean callLines() {
    return callLines;
  }

  /** The packages whose methods are hops, as far as they are known; empty for none. */
  public List<String> packages() {
    return application == null ? include.names() : application.describe();
  }

  /** Looks at what was loaded before, so that it is known where the main class comes from. */
  void look(List<Class<?>> loaded) {
    if (application != null) {
      loaded.forEach(application::look);
    }
  }

  /** The resources followed beside buffers. */
  public List<ResourceRule> resources() {
    return resources;
  }

  /** Whether there are resources beside buffers. */
  public boolean hasResources() {
    return !resources.isEmpty();
  }

  /** Whether a loaded class has to do with one: it opens or closes it, or takes it. */
  public boolean mayUse(Class<?> c) {
    return concern(c) || methods(c);
  }

  /** Whether a loaded class may open or close one. */
  public boolean concern(Class<?> c) {
    String name = c.getName().replace('.', '/');
    if (Weaver.isOurs(name)) {
      return false;
    }
    for (ResourceRule rule : resources) {
      if (rule.concerns(c)) {
        return true;
      }
    }
    return false;
  }

  boolean methods(Class<?> c) {
    String name = c.getName().replace('.', '/');
    return (application == null ? include.matches(name) : application.contains(c))
        && !exclude.matches(name);
  }

  /**
   * Whether methods and calls of a class are hops.
   *
   * @param domain says where it comes from
   */
  boolean methods(String name, @Nullable ProtectionDomain domain) {
    return (application == null ? include.matches(name) : application.contains(name, domain))
        && !exclude.matches(name);
  }

  /** Whether a class in which nothing is a hop could be one that the user would want named. */
  boolean mayBeUnwatched(String name) {
    return application != null && !exclude.matches(name);
  }

  void noteUnwatched(String name, @Nullable ProtectionDomain domain) {
    if (application != null) {
      application.noteUnwatched(name, domain);
    }
  }

  /**
   * Like the check of a loaded class, for one known by its name only; by its package if need be.
   */
  boolean mayHaveHops(String name) {
    return (application == null ? include.matches(name) : application.hasPackageOf(name))
        && !exclude.matches(name);
  }

  /**
   * Whether a class on the stack is one whose methods are hops, by its package if need be.
   *
   * @param name its binary name
   */
  public boolean isOwn(String name) {
    return mayHaveHops(name.replace('.', '/'));
  }

  boolean constructors(String name) {
    return constructors.matches(name) && !exclude.matches(name);
  }
}
