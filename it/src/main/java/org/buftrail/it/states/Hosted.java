package org.buftrail.it.states;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Two applications, each in a loader of its own with a Netty of its own. They do as much before an
 * agent is attached as while it is, while it is detached and after it was attached again: only what
 * the agent is to know of is in the ledger.
 */
public final class Hosted {
  /** They and their loaders live until the end. */
  private static final List<BiFunction<String, Integer, Map<String, Long>>> GUESTS =
      new ArrayList<>();

  private final Ledger ledger = new Ledger();

  private Hosted() {}

  /**
   * Runs the program.
   *
   * @param args a class path for each
   */
  public static void main(String[] args) throws Exception {
    for (String classPath : args) {
      GUESTS.add(guest(classPath));
    }
    new Hosted().run();
  }

  @SuppressWarnings("unchecked")
  private static BiFunction<String, Integer, Map<String, Long>> guest(String classPath)
      throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      urls.add(new File(entry).toURI().toURL());
    }
    ClassLoader loader =
        new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    return Class.forName(Guest.class.getName(), true, loader)
        .asSubclass(BiFunction.class)
        .getDeclaredConstructor()
        .newInstance();
  }

  private void run() throws Exception {
    act(3, false);
    ledger.standStill();
    act(5, true);
    ledger.standStill();
    ledger.forgetLive();
    act(7, false);
    ledger.standStill();
    act(11, true);
    ledger.standStill();
  }

  /** The second application does more than the first. */
  private void act(int times, boolean followed) {
    for (int i = 0; i < GUESTS.size(); i++) {
      for (String act : List.of("finish", "lose", "keep", "close", "open")) {
        Map<String, Long> did = GUESTS.get(i).apply(act, times + 2 * i);
        if (followed) {
          did.forEach(ledger::add);
        }
      }
    }
  }
}
