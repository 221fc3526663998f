"""What results have to show (:class:`~fastmatch.report.model.Report`), in every form. No score is computed here."""
