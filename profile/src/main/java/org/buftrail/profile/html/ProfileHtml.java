package org.buftrail.profile.html;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.dictionary.StackTable;
import org.buftrail.profile.json.JsonOut;
import org.buftrail.profile.trie.FrameTrie;

/**
 * Profiles as a self-contained page: one flame graph and one table of functions for each.
 *
 * <p>A page holds at most {@value #MAX_NODES} merged frames; smaller ones are folded into their
 * callers, and the page says how many. Samples go along with their threads and, where they have
 * one, their time, up to a bound.
 */
public final class ProfileHtml {
  static final int MAX_NODES = 300_000;
  private static final int MAX_FACT = 500;

  private final Profiles profiles;
  private final PageFrames frames;
  private final FrameTrie trie = new FrameTrie();
  private final int[] nodeOfStack;
  private final View first;
  private final PageLook look;

  /** The view that a page shows first. */
  public enum View {
    /** The flame graph. */
    FLAMES,
    /** When samples were taken. */
    HEATMAP
  }

  private ProfileHtml(Profiles profiles, View first, PageLook look) {
    this.profiles = profiles;
    this.first = first;
    this.look = look;
    this.frames = new PageFrames(profiles.dictionary());
    this.nodeOfStack = new int[profiles.dictionary().stacks().size()];
    Arrays.fill(nodeOfStack, FrameTrie.NONE);
  }

  /**
   * Writes the page.
   *
   * @throws IOException when {@code out} does
   */
  public static void write(Profiles profiles, Appendable out) throws IOException {
    write(profiles, View.FLAMES, out);
  }

  /**
   * Writes the page.
   *
   * @param first what it shows first
   * @throws IOException when {@code out} does
   */
  public static void write(Profiles profiles, View first, Appendable out) throws IOException {
    write(profiles, first, PageLook.PLAIN, out);
  }

  /**
   * Writes the page.
   *
   * @param first what it shows first
   * @param look how it looks
   * @throws IOException when {@code out} does
   */
  public static void write(Profiles profiles, View first, PageLook look, Appendable out)
      throws IOException {
    write(new ProfileHtml(profiles, first, look), MAX_NODES, PageSamples.MAX_ROWS, out);
  }

  static void write(Profiles profiles, View first, Appendable out, int maxNodes, int maxRows)
      throws IOException {
    write(new ProfileHtml(profiles, first, PageLook.PLAIN), maxNodes, maxRows, out);
  }

  /** Without a lambda or stream, as all of this: their first use costs as much as the page. */
  private static void write(ProfileHtml page, int maxNodes, int maxRows, Appendable out)
      throws IOException {
    HtmlPage.Model model =
        new HtmlPage.Model() {
          @Override
          public void write(Appendable json) throws IOException {
            page.model(new JsonOut(json), maxNodes, maxRows);
          }
        };
    HtmlPage.write(model, out);
  }

  private void model(JsonOut json, int maxNodes, int maxRows) throws IOException {
    for (Profile profile : profiles.profiles()) {
      for (int i = 0; i < profile.samples().size(); i++) {
        addStack(profile.samples().stack(i));
      }
    }
    List<long[]> selves = new ArrayList<>();
    for (Profile profile : profiles.profiles()) {
      selves.add(self(profile));
    }
    Folding folding = new Folding(trie, selves, maxNodes, look.leastShare());
    PageColumns.head(json, "profiles");
    json.name("title").value(title());
    facts(json);
    json.name("folded").value(folding.folded());
    frames.write(json);
    json.name("nodes").beginObject();
    PageColumns.trie(json, folding.trie(), row -> row);
    json.endObject();
    if (first == View.HEATMAP) {
      json.name("open").value("heatmap");
    }
    look.source().write(json);
    if (!look.search().isEmpty()) {
      json.name("search").value(look.search());
    }
    for (int stack = 0; stack < nodeOfStack.length; stack++) {
      int node = nodeOfStack[stack];
      nodeOfStack[stack] = node == FrameTrie.NONE ? node : folding.target(node);
    }
    PageSamples samples = new PageSamples(profiles.dictionary(), profiles.profiles(), nodeOfStack);
    samples.write(json, maxRows);
    json.name("profiles").beginArray();
    for (int i = 0; i < selves.size(); i++) {
      profile(json, profiles.profiles().get(i), folding.moved(selves.get(i)), samples);
    }
    json.endArray().endObject();
  }

  private void addStack(int stack) {
    if (nodeOfStack[stack] != FrameTrie.NONE) {
      return;
    }
    StackTable stacks = profiles.dictionary().stacks();
    int node = FrameTrie.NONE;
    for (int i = stacks.depth(stack) - 1; i >= 0; i--) {
      for (int row : frames.rows(stacks.location(stack, i))) {
        node = trie.child(node, row);
      }
    }
    // A sample without a stack is a frame of its own: its value must not get lost.
    nodeOfStack[stack] = node == FrameTrie.NONE ? trie.child(node, frames.noStack()) : node;
  }

  private long[] self(Profile profile) {
    long[] self = new long[trie.size()];
    for (int i = 0; i < profile.samples().size(); i++) {
      int node = nodeOfStack[profile.samples().stack(i)];
      self[node] = Samples.plus(self[node], profile.value(i));
    }
    return self;
  }

  private String title() {
    if (!look.title().isEmpty()) {
      return look.title();
    }
    Object service = profiles.resource().asMap().get("service.name");
    return service == null ? "Profile" : shortened(service);
  }

  private void facts(JsonOut json) throws IOException {
    json.name("facts").beginArray();
    if (!profiles.profiles().isEmpty()) {
      Profile first = profiles.profiles().get(0);
      fact(json, "From", instant(first.time()));
      fact(json, "Length", Duration.ofNanos(first.duration()).toString());
    }
    for (Map.Entry<String, Object> attribute : profiles.resource().asMap().entrySet()) {
      if (!(attribute.getValue() instanceof byte[])) {
        fact(json, attribute.getKey(), shortened(attribute.getValue()));
      }
    }
    json.endArray();
  }

  private static void fact(JsonOut json, String name, String value) throws IOException {
    json.beginArray().value(name).value(value).endArray();
  }

  /** As {@link Instant} has it, without the formatter that it sets up. */
  private static String instant(long nanos) {
    Instant instant = Instant.EPOCH.plusNanos(nanos);
    String text =
        LocalDateTime.ofEpochSecond(instant.getEpochSecond(), instant.getNano(), ZoneOffset.UTC)
            .toString();
    boolean isWholeMinute = text.length() == "2026-01-01T00:00".length();
    return text.concat(isWholeMinute ? ":00Z" : "Z");
  }

  private static String shortened(Object value) {
    String text = value.toString();
    return text.length() <= MAX_FACT ? text : text.substring(0, MAX_FACT) + "...";
  }

  private static void profile(JsonOut json, Profile profile, long[] self, PageSamples pageSamples)
      throws IOException {
    json.beginObject().name("name").value(profile.name());
    json.name("type").value(profile.sampleType().type());
    json.name("unit").value(profile.sampleType().unit());
    if (profile.period() > 0 && profile.periodType().unit().equals("nanoseconds")) {
      json.name("period").value(profile.period());
    }
    json.name("nodes").beginArray();
    for (int node = 0; node < self.length; node++) {
      if (self[node] != 0) {
        json.value(node);
      }
    }
    json.endArray().name("values").beginArray();
    for (long value : self) {
      if (value != 0) {
        json.value(value);
      }
    }
    json.endArray();
    pageSamples.link(json, profile);
    json.endObject();
  }
}
