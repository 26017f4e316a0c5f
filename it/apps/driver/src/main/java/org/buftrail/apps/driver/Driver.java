package org.buftrail.apps.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Reads commands from standard input, does them in turn, and writes the result of each to the file
 * that it names last:
 *
 * <ul>
 *   <li>{@code calls N FILE}: calls 0 to N - 1, their answers
 *   <li>{@code load FILE}: calls on two threads from now on
 *   <li>{@code loaded N FILE}: waits for N more of these
 *   <li>{@code unload FILE}: ends them; the answers that were not those of {@code calls}
 *   <li>{@code lose N FILE}: loses N buffers
 *   <li>{@code port FILE}: where it serves
 *   <li>{@code collect FILE}, {@code processes FILE}, {@code threads FILE}: what {@link Probe} says
 * </ul>
 *
 * A command that fails leaves its exception in the file.
 */
public final class Driver {
  private final Application application;
  private final List<String> answers = new ArrayList<>();
  private Load load;

  private Driver(Application application) {
    this.application = application;
    load = new Load(application, answers);
  }

  /** Returns when standard input ends. */
  public static void drive(Application application) throws IOException {
    Driver driver = new Driver(application);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", -1);
      String result;
      try {
        result = driver.command(words);
      } catch (Exception e) {
        result = "failed: " + e;
      }
      write(Path.of(words[words.length - 1]), result);
    }
  }

  private String command(String[] words) throws Exception {
    switch (words[0]) {
      case "calls":
        return calls(Integer.parseInt(words[1]));
      case "load":
        load = new Load(application, answers);
        load.start();
        return "";
      case "loaded":
        load.await(Integer.parseInt(words[1]));
        return "";
      case "unload":
        return load.stop();
      case "port":
        return Integer.toString(application.port());
      case "lose":
        return lose(Integer.parseInt(words[1]));
      default:
        Probe probe = Probe.valueOf(words[0].toUpperCase(Locale.ROOT));
        return String.join("\n", application.everywhere(probe));
    }
  }

  private String calls(int count) throws Exception {
    answers.clear();
    for (int i = 0; i < count; i++) {
      answers.add(application.call(i));
    }
    return String.join("\n----\n", answers);
  }

  private String lose(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      application.lose(i);
    }
    return "";
  }

  /** Whole or not at all. */
  private static void write(Path file, String text) throws IOException {
    Path part = Path.of(file + ".part");
    Files.writeString(part, text);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
