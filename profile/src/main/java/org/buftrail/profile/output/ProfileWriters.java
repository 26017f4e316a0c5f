package org.buftrail.profile.output;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.html.PageLook;
import org.buftrail.profile.html.ProfileHtml;
import org.buftrail.profile.html.ProfileHtml.View;
import org.buftrail.profile.html.SourceLinks;
import org.buftrail.profile.otlp.json.OtlpJsonWriter;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.buftrail.profile.pprof.PprofWriter;
import org.buftrail.profile.speedscope.SpeedscopeWriter;
import org.buftrail.profile.text.CollapsedWriter;
import org.buftrail.profile.text.ProfileText;

/** The writers of all formats that profiles can have. */
public final class ProfileWriters {
  private ProfileWriters() {}

  /** How a format is written, as far as it has a choice. Immutable. */
  public static final class Style {
    /** Without line breaks or line numbers, by counts. */
    public static final Style PLAIN = new Style(false, false, false);

    private final boolean pretty;
    private final boolean lines;
    private final boolean total;
    private final boolean threads;
    private final PageLook look;

    /**
     * @param pretty JSON with line breaks
     * @param lines line numbers in collapsed stacks and speedscope files
     * @param total collapsed stacks by time or bytes instead of counts
     */
    public Style(boolean pretty, boolean lines, boolean total) {
      this(pretty, lines, total, false, PageLook.PLAIN);
    }

    private Style(boolean pretty, boolean lines, boolean total, boolean threads, PageLook look) {
      this.pretty = pretty;
      this.lines = lines;
      this.total = total;
      this.threads = threads;
      this.look = look;
    }

    /**
     * The same, with another look of pages.
     *
     * @param title empty for the service's name
     * @param search what is searched first, as text or as a regular expression; empty for nothing
     * @param leastShare the part of a profile, from 0 to 1, that a frame has at least in one of
     *     them; others count for their callers
     */
    public Style page(String title, String search, double leastShare) {
      PageLook other = new PageLook(title, search, leastShare).source(look.source());
      return new Style(pretty, lines, total, threads, other);
    }

    /**
     * The same, with links to the source of the user's own methods on pages.
     *
     * @param template an address with {@code {path}} and, if the place wants it, {@code {line}};
     *     empty for none
     * @throws IllegalArgumentException if it is no address that begins with {@code http://}, {@code
     *     https://}, {@code idea://} or {@code vscode://}
     */
    public Style source(String template) {
      SourceLinks links = template.isEmpty() ? SourceLinks.NONE : SourceLinks.parse(template);
      return new Style(pretty, lines, total, threads, look.source(links));
    }

    /** The same, with a profile for each thread beside that of all in speedscope files. */
    public Style byThread() {
      return new Style(pretty, lines, total, true, look);
    }
  }

  /**
   * The writer of a format, in the {@linkplain Style#PLAIN plain} style.
   *
   * @throws IllegalArgumentException if it is {@linkplain ProfileFormat#isForFlowsOnly for flows
   *     only}
   */
  public static ProfileWriter of(ProfileFormat format) {
    return of(format, Style.PLAIN);
  }

  /**
   * The writer of a format.
   *
   * @throws IllegalArgumentException if it is {@linkplain ProfileFormat#isForFlowsOnly for flows
   *     only}
   */
  public static ProfileWriter of(ProfileFormat format, Style style) {
    switch (format) {
      case OTLP:
        return new Otlp();
      case JSON:
      case OTLP_JSON:
        return (file, out) -> new OtlpJsonWriter(style.pretty).write(file, out);
      case HTML:
      case HEATMAP:
      case SPEEDSCOPE:
      case TEXT:
        return new Text(format, style);
      case PPROF:
        return new Pprof();
      case COLLAPSED:
        return new Collapsed(style);
      default:
        throw new IllegalArgumentException(format + " is a format of flows");
    }
  }

  private static Writer writer(OutputStream out) {
    return new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 1 << 16);
  }

  private static List<List<Profiles>> byKind(List<Profiles> all) {
    Profiles joined = Profiles.joined(all);
    List<List<Profiles>> files = new ArrayList<>();
    for (List<Profile> group : PprofWriter.files(joined)) {
      files.add(List.of(joined.with(group)));
    }
    return files;
  }

  /** Not a lambda, for it is what most short conversions need. */
  private static final class Otlp implements ProfileWriter {
    @Override
    public void write(List<Profiles> file, OutputStream out) throws IOException {
      new OtlpWriter().write(file, out);
      out.flush();
    }
  }

  /** What is one text of all profiles. Not a lambda, for pages are what many look at. */
  private static final class Text implements ProfileWriter {
    private final ProfileFormat format;
    private final Style style;

    Text(ProfileFormat format, Style style) {
      this.format = format;
      this.style = style;
    }

    @Override
    public void write(List<Profiles> file, OutputStream out) throws IOException {
      Profiles all = Profiles.joined(file);
      Writer text = writer(out);
      if (format == ProfileFormat.TEXT) {
        ProfileText.write(all, text);
      } else if (format == ProfileFormat.SPEEDSCOPE) {
        SpeedscopeWriter.write(all, style.lines, style.threads, text);
      } else {
        View first = format == ProfileFormat.HEATMAP ? View.HEATMAP : View.FLAMES;
        ProfileHtml.write(all, first, style.look, text);
      }
      text.flush();
    }
  }

  private static final class Pprof implements ProfileWriter {
    @Override
    public List<List<Profiles>> files(List<Profiles> all) {
      return byKind(all);
    }

    @Override
    public void write(List<Profiles> file, OutputStream out) throws IOException {
      Profiles kind = file.get(0);
      PprofWriter.write(kind.profiles(), kind.dictionary(), out);
      out.flush();
    }
  }

  private static final class Collapsed implements ProfileWriter {
    private final Style style;

    Collapsed(Style style) {
      this.style = style;
    }

    @Override
    public List<List<Profiles>> files(List<Profiles> all) {
      return byKind(all);
    }

    /** Counts, or what else the kind measures: the profiles of a kind differ in that alone. */
    @Override
    public void write(List<Profiles> file, OutputStream out) throws IOException {
      Profiles kind = file.get(0);
      Profile chosen = kind.profiles().get(0);
      for (Profile profile : kind.profiles()) {
        boolean counts = profile.sampleType().unit().equals("count");
        chosen = counts != style.total ? profile : chosen;
      }
      Writer text = writer(out);
      new CollapsedWriter(kind.dictionary(), style.lines).write(chosen, text);
      text.flush();
    }
  }
}
